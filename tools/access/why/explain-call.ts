// What is known of the call of a function: who it runs as. Which rows its statements found is not.
import type { CallAction } from '../../../src/plan/actions/action-plan.ts';
import { isRestricted, renderNames } from '../policies/catalog-terms.ts';
import { explainBelowReturned, NOT_LOOKED } from './explain-below.ts';
import { explainRefused } from './explain-refused.ts';
import { describeContext, type ExplainedRequest, isDenial, quoteReport } from './failed-request.ts';
import type { Probe } from './probe.ts';

interface RoutineFacts {
  readonly isDefiner: boolean;
  /** Whose privileges and policies count. */
  readonly actor: string;
  /** Whether no policy restricts it. */
  readonly isFree: boolean;
  readonly mayCall: boolean;
  readonly mayName: boolean;
  /** Tables that the function names and whose policies restrict it. */
  readonly tables: readonly string[];
}

const ROUTINE_SQL = `
SELECT pg_catalog.json_build_object('isDefiner', proc.prosecdef, 'actor', actor.rolname,
  'isFree', actor.rolsuper OR actor.rolbypassrls,
  'mayCall', pg_catalog.has_function_privilege($2, proc.oid, 'EXECUTE'),
  'mayName', pg_catalog.has_schema_privilege($2, proc.pronamespace, 'USAGE'),
  'tables', ARRAY(SELECT DISTINCT class.relname FROM pg_catalog.pg_class AS class
    WHERE class.relkind IN ('r', 'p') AND ${isRestricted('class', 'actor')} AND ${renderNames('proc', 'class')}
    ORDER BY class.relname LIMIT 10))::text
FROM pg_catalog.pg_proc AS proc JOIN pg_catalog.pg_roles AS actor
  ON CASE WHEN proc.prosecdef THEN actor.oid = proc.proowner ELSE actor.rolname = $2 END
WHERE proc.oid = $1::pg_catalog.oid`;

export async function explainCall(
  action: CallAction,
  request: ExplainedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  const { routine, read, rowType } = action;
  const { role, report } = request;
  const { name, schema } = routine.name;
  const [text] = await probe.list(ROUTINE_SQL, [routine.oid, role]);
  if (text === undefined) return [`The function ${name} cannot be looked up any more.`];
  const { isDefiner, actor, isFree, mayCall, mayName, tables }: RoutineFacts = JSON.parse(text);
  if (isDenial(report) && !mayName) return [`${role} lacks USAGE on the schema ${schema}.`];
  if (isDenial(report) && !mayCall) return [`${role} lacks EXECUTE on the function ${name}.`];
  const runner = isDefiner
    ? `The function ${name} runs as its owner, ${actor}${isFree ? ', whom no policy restricts' : ''} (SECURITY DEFINER). The privileges and policies of ${role} do not count within it.`
    : `The function ${name} runs as ${role} (SECURITY INVOKER): its privileges and policies apply to each statement within it.`;
  if (report.code !== '') {
    const context = await describeContext(request, probe);
    const refused = await explainRefused(request, { actor, script: await request.render(action) }, probe);
    return [`PostgreSQL or the server reported ${quoteReport(report)}.`, ...context, runner, ...refused];
  }
  const rows =
    tables.length === 0
      ? 'Which rows these statements found or refused is not known.'
      : `They name ${tables.join(', ')}, on whose rows policies decide for ${actor}. Which of them they found or refused was not examined.`;
  const lines = [runner, `${rows} Send requests to the tables themselves.`];
  if (read.embeds.length === 0) return lines;
  if (rowType === undefined) return [...lines, `${NOT_LOOKED}.`];
  const facts = await probe.readFacts(rowType.name, role);
  const below = await explainBelowReturned(rowType.name, { read, key: facts?.relation.key ?? [] }, request, probe);
  return [...lines, ...below];
}

// What is known of the call of a function: who it runs as. Which rows its statements found is not.
import type { CallAction } from '../../../src/plan/actions/action-plan.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { renderNames } from '../../access/named-tables.ts';
import { type FailedRequest, describeContext } from './explain-failure.ts';
import { explainBelowReturned, NOT_LOOKED } from './explain-related.ts';
import { explainTouched } from './explain-touched.ts';
import { type Probe, readRows } from './probe.ts';
import { isDenial, quoteReport } from './report.ts';

const ROUTINE_SQL = `
SELECT pg_catalog.json_build_object('isDefiner', proc.prosecdef, 'owner', owner.rolname,
  'isFree', owner.rolsuper OR owner.rolbypassrls,
  'mayCall', pg_catalog.has_function_privilege($2, proc.oid, 'EXECUTE'),
  'mayName', pg_catalog.has_schema_privilege($2, proc.pronamespace, 'USAGE'))::text
FROM pg_catalog.pg_proc AS proc JOIN pg_catalog.pg_roles AS owner ON owner.oid = proc.proowner
WHERE proc.oid = $1::pg_catalog.oid`;

/** The tables whose policies restrict a role, and which a function names. */
const TABLES_SQL = `
SELECT DISTINCT class.relname FROM pg_catalog.pg_proc AS proc CROSS JOIN pg_catalog.pg_class AS class
WHERE proc.oid = $1::pg_catalog.oid AND class.relkind IN ('r', 'p') AND class.relrowsecurity
  AND (class.relforcerowsecurity OR NOT pg_catalog.pg_has_role($2, class.relowner, 'USAGE'))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $2 AND (rolsuper OR rolbypassrls))
  AND ${renderNames('proc', 'class')}
ORDER BY class.relname LIMIT 10`;

export async function explainCall(
  { routine, read, rowType }: CallAction,
  failed: FailedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  const { role, report } = failed;
  const reply = await probe.read({ text: ROUTINE_SQL, parameters: [routine.oid, role] });
  const facts = reply.ok ? parseJsonObject(reply.value[0]?.[0] ?? '') : undefined;
  const { name, schema } = routine.name;
  if (facts === undefined) return [`The function ${name} cannot be looked up any more.`];
  if (isDenial(report) && facts['mayName'] !== true) return [`${role} lacks USAGE on the schema ${schema}.`];
  if (isDenial(report) && facts['mayCall'] !== true) return [`${role} lacks EXECUTE on the function ${name}.`];
  const owner = String(facts['owner']);
  const actor = facts['isDefiner'] === true ? owner : role;
  const touched = await explainTouched(failed.script, { report, actor }, probe);
  const context = await describeContext(failed, probe);
  const free = facts['isFree'] === true ? ', whom no policy restricts' : '';
  return [
    ...(report.code === '' ? [] : [`PostgreSQL or the server reported ${quoteReport(report)}.`, ...context]),
    facts['isDefiner'] === true
      ? `The function ${name} runs as its owner, ${owner}${free} (SECURITY DEFINER). The privileges and policies of ${role} do not count within it.`
      : `The function ${name} runs as ${role} (SECURITY INVOKER): its privileges and policies apply to each statement within it.`,
    ...touched,
    ...(report.code === '' ? [`${await describeTables(routine.oid, actor, probe)} ${ADVICE}`] : []),
    ...(report.code === '' && read.embeds.length > 0 ? await explainBelow({ read, rowType }, failed, probe) : []),
  ];
}

const ADVICE = 'Send requests to the tables themselves.';

/** Only the names of what it reads are known. */
async function describeTables(oid: string, actor: string, probe: Probe): Promise<string> {
  const found = readRows(await probe.read({ text: TABLES_SQL, parameters: [oid, actor] }));
  const names = found.ok ? found.value.map(([name]) => name ?? '') : [];
  return names.length === 0
    ? 'Which rows these statements found or refused is not known.'
    : `They name ${names.join(', ')}, on whose rows policies decide for ${actor}. Which of them they found or refused was not examined.`;
}

async function explainBelow(
  { read, rowType }: Pick<CallAction, 'read' | 'rowType'>,
  { role, report }: FailedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  if (rowType === undefined) return [`${NOT_LOOKED}.`];
  const facts = await probe.readFacts(rowType.name, role);
  const key = facts?.relation.key ?? [];
  return explainBelowReturned({ relation: rowType.name, read, key }, { role, report }, probe);
}

// What is known of the call of a function: who it runs as. Which rows its statements found is not.
import type { CallAction } from '../../../src/plan/actions/action-plan.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { type FailedRequest, describeContext } from './explain-failure.ts';
import { explainTouched } from './explain-touched.ts';
import type { Probe } from './probe.ts';
import { isDenial, quoteReport } from './report.ts';

const ROUTINE_SQL = `
SELECT pg_catalog.json_build_object('isDefiner', proc.prosecdef, 'owner', owner.rolname,
  'isFree', owner.rolsuper OR owner.rolbypassrls,
  'mayCall', pg_catalog.has_function_privilege($2, proc.oid, 'EXECUTE'),
  'mayName', pg_catalog.has_schema_privilege($2, proc.pronamespace, 'USAGE'))::text
FROM pg_catalog.pg_proc AS proc JOIN pg_catalog.pg_roles AS owner ON owner.oid = proc.proowner
WHERE proc.oid = $1::pg_catalog.oid`;

export async function explainCall(
  { routine }: CallAction,
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
    ...(report.code === '' ? [UNKNOWN] : []),
  ];
}

const UNKNOWN = 'Which rows these statements found or refused is not known. Send requests to the tables themselves.';

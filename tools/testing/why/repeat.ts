// Runs the statement of a request that failed once more, to learn where within functions and triggers it fails.
import { quoteLiteral } from '../../../src/contract/identifiers.ts';
import type { ParameterValue, Statement } from '../../../src/contract/transaction.ts';
import type { TransactionQuery } from '../../../src/postgres/session/query.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { attempt, setLocally } from '../../access/row-expressions.ts';

const NAME = 'rowhouse_repeated';
const SETTING = 'rowhouse.failure';
/** Begins the part of the context that belongs to this module. */
const OWN_CALL = `SQL statement "EXECUTE ${NAME}`;
const MAX_LINES = 12;
const MAX_LENGTH = 200;

/**
 * Returns the context that PostgreSQL reports for the error with this SQLSTATE, innermost first; none if the statement
 * fails in another way, or not at all. Run it as the role, within a savepoint that is rolled back.
 */
export async function findContext(
  statement: Statement,
  code: string,
  run: TransactionQuery,
): Promise<readonly string[]> {
  await setLocally(run, 'standard_conforming_strings', 'on');
  // Statements of PL/pgSQL take typed parameters, those of PREPARE are inferred as in the protocol.
  const prepared = await attempt(run, { text: `PREPARE ${NAME} AS ${statement.text}`, parameters: [] });
  if (!prepared.ok) return [];
  await attempt(run, { text: renderBlock(statement.parameters), parameters: [] });
  await attempt(run, { text: `DEALLOCATE ${NAME}`, parameters: [] });
  const reply = await attempt(run, { text: `SELECT pg_catalog.current_setting('${SETTING}', true)`, parameters: [] });
  const failure = reply.ok ? parseJsonObject(reply.value[0]?.[0] ?? '') : undefined;
  return failure?.['code'] === code ? splitContext(String(failure['context'])) : [];
}

/** Checks deferred constraints as the end of the request would. */
function renderBlock(parameters: readonly ParameterValue[]): string {
  const values = parameters.length === 0 ? '' : `(${parameters.map(renderValue).join(', ')})`;
  const body = `
DECLARE place text;
BEGIN
  PERFORM pg_catalog.set_config('${SETTING}', '', true);
  EXECUTE ${quoteLiteral(`EXECUTE ${NAME}${values}`)};
  SET CONSTRAINTS ALL IMMEDIATE;
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS place = PG_EXCEPTION_CONTEXT;
  PERFORM pg_catalog.set_config('${SETTING}',
    pg_catalog.json_build_object('code', SQLSTATE, 'context', place)::text, true);
END`;
  return `DO LANGUAGE plpgsql ${quoteLiteral(body)}`;
}

function renderValue(value: ParameterValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoteLiteral(value);
  if (!('kind' in value)) return quoteLiteral(Buffer.concat(value).toString());
  return quoteLiteral(`\\x${Buffer.concat(value.bytes).toString('hex')}`);
}

function splitContext(context: string): readonly string[] {
  const end = context.lastIndexOf(OWN_CALL);
  const lines = (end === -1 ? context : context.slice(0, end)).split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line));
}

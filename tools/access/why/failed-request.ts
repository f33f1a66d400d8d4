// What the response of a request says, and where in functions and triggers its statement failed.
import { quoteLiteral } from '../../../src/contract/identifiers.ts';
import type { ParameterValue, Statement } from '../../../src/contract/transaction.ts';
import type { ActionPlan } from '../../../src/plan/actions/action-plan.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { isJsonObject, parseJsonObject } from '../../../src/util/json-object.ts';
import type { Probe } from './probe.ts';
import { listCallers } from './triggers.ts';

export interface Report {
  readonly status: number;
  /** An SQLSTATE, or a code of the server; empty if there is none. */
  readonly code: string;
  readonly message: string;
  /** The value of a JSON body. */
  readonly body: unknown;
}

export interface ExplainedRequest {
  readonly role: string;
  readonly report: Report;
  /** Undefined: it takes several statements. */
  readonly statement: Statement | undefined;
  /** Renders its script for its action, or for another one. */
  readonly render: (action: ActionPlan) => Promise<TransactionScript | undefined>;
}

export function readReport(status: number, body: unknown): Report {
  const fields = isJsonObject(body) ? body : {};
  const [code, message] = [fields['code'], fields['message']];
  return {
    status,
    code: status < 400 || typeof code !== 'string' ? '' : code,
    message: typeof message === 'string' ? message : '',
    body,
  };
}

const DENIED = '42501';
const BY_POLICY = /row-level security/u;

/** Whether a privilege is missing, or something raised the same error. */
export function isDenial({ code, message }: Report): boolean {
  return code === DENIED && !BY_POLICY.test(message);
}

export function isPolicyRefusal({ code, message }: Report): boolean {
  return code === DENIED && BY_POLICY.test(message);
}

/** Whether PostgreSQL failed for another reason. */
export function isOtherFailure({ code }: Report): boolean {
  return /^[\dA-Z]{5}$/u.test(code) && code !== DENIED;
}

/** `42501: permission denied for table orders` */
export function quoteReport({ status, code, message }: Report): string {
  const text = [code, message].filter((part) => part !== '').join(': ');
  return text === '' ? `status ${status}` : text;
}

const NAME = 'rowhouse_repeated';
const SETTING = 'rowhouse.failure';
/** Begins the part of the context that belongs to this module. */
const OWN_CALL = `SQL statement "EXECUTE ${NAME}`;
const MAX_LINES = 12;
const MAX_LENGTH = 200;

/**
 * Runs the statement of a request that failed once more, and returns the context that PostgreSQL reports, innermost first,
 * as indented lines, and sentences about triggers; none if it does not fail within a function, or in another way.
 */
export async function describeContext(
  { role, report, statement }: ExplainedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  if (statement === undefined || report.status < 400) return [];
  const lines = await probe.tryAs(role, async () => {
    await probe.set('standard_conforming_strings', 'on');
    // Statements of PL/pgSQL take typed parameters, those of PREPARE are inferred as in the protocol.
    const prepared = await probe.read({ text: `PREPARE ${NAME} AS ${statement.text}`, parameters: [] });
    if (!prepared.ok) return [];
    await probe.read({ text: renderBlock(statement.parameters), parameters: [] });
    await probe.read({ text: `DEALLOCATE ${NAME}`, parameters: [] });
    const [text = ''] = await probe.list(`SELECT pg_catalog.current_setting('${SETTING}', true)`, []);
    const failure = parseJsonObject(text);
    return failure?.['code'] === report.code ? splitContext(String(failure['context'])) : [];
  });
  return [...lines.map((line) => `  in ${line}`), ...(await listCallers(lines, probe))];
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

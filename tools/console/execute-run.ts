// Runs the statements of the SQL console in one transaction on a connection of their own, so that nothing a statement
// leaves in the session reaches a request or the next run.
import { setTimeout as startTimer } from 'node:timers';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { CancelSignal } from '../../src/contract/cancel-signal.ts';
import { Stopper } from '../../src/postgres/execute/stop-run.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { type LimitedResult, queryLimited } from './limited-query.ts';
import { query } from '../../src/postgres/session/query.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import type { ConnectionOptions } from '../../src/service/database/create-pool.ts';
import type { ConsoleRun } from './read-run.ts';
import { unitsOf } from './split-script.ts';

export interface RunEnvironment {
  readonly connection: ConnectionOptions;
  /** Statements that set the role, its claims and so on, as before a request. */
  readonly preparation: readonly Statement[];
  /** Aborts when the client disconnects. */
  readonly signal: CancelSignal | undefined;
}

export interface RunResult {
  readonly results: readonly NamedResult[];
  /** `current_user` at the end, which the text can change. */
  readonly role: string;
  readonly isSuperuser: boolean;
}

export interface NamedResult extends Omit<LimitedResult, 'columns' | 'bytes' | 'isInTransaction'> {
  readonly columns: readonly { readonly name: string; readonly type: string }[] | undefined;
}

export interface RunFailure {
  readonly error: ApiError;
  /** Where in the text of the request, in UTF-16 units. */
  readonly at: number | undefined;
}

export const TIMEOUT_MS = 30_000;
/** Of each statement. */
export const MAX_ROWS = 1000;
/** Of all statements of a run. */
const MAX_BYTES = 8_000_000;

const ROLE_QUERY = `SELECT current_user, current_setting('is_superuser')`;
const TYPES_QUERY = `SELECT pg_catalog.format_type(given.oid, given.modifier)
FROM unnest($1::oid[], $2::int4[]) WITH ORDINALITY AS given (oid, modifier, place) ORDER BY place`;

const LEFT_TRANSACTION: ApiError = {
  kind: 'database',
  report: {
    sqlstate: '25000',
    message: 'the statement ended the transaction of the run, so the statements after it did not run',
    detail: undefined,
    hint: 'Each run is one transaction: omit BEGIN, COMMIT and ROLLBACK.',
  },
};

export async function executeRun(run: ConsoleRun, environment: RunEnvironment): Promise<Result<RunResult, RunFailure>> {
  const session = await connect({ ...environment.connection, isPreparing: false });
  if (!session.ok) return failAt(session.error);
  let stopper: Stopper | undefined;
  const stop = (): void => void (stopper ??= new Stopper(session.value));
  const timer = startTimer(stop, TIMEOUT_MS);
  environment.signal?.addEventListener('abort', stop);
  // The client may have left while the connection was opened.
  if (environment.signal?.aborted === true) stop();
  try {
    return await runInTransaction(session.value, run, environment);
  } finally {
    clearTimeout(timer);
    environment.signal?.removeEventListener('abort', stop);
    void stopper?.end();
    session.value.destroy('the run has ended');
  }
}

async function runInTransaction(
  session: Session,
  run: ConsoleRun,
  { preparation }: RunEnvironment,
): Promise<Result<RunResult, RunFailure>> {
  const isReading = run.access === 'read only';
  const first = { text: isReading ? 'BEGIN READ ONLY' : 'BEGIN', parameters: [] };
  for (const { text, parameters } of [first, ...preparation]) {
    const done = await query(session, text, parameters);
    if (!done.ok) return failAt(done.error);
  }
  const results = await runStatements(session, run);
  if (!results.ok) return results;
  const named = await nameTypes(session, results.value);
  if (!named.ok) return failAt(named.error);
  const role = await query(session, ROLE_QUERY);
  if (!role.ok) return failAt(role.error);
  // Constraints that are deferred fail here.
  const ended = await query(session, isReading ? 'ROLLBACK' : 'COMMIT');
  if (!ended.ok) return failAt(ended.error);
  const [name, isSuperuser] = role.value[0] ?? [];
  return ok({ results: named.value, role: name ?? '', isSuperuser: isSuperuser === 'on' });
}

async function runStatements(
  session: Session,
  { statements, explain }: ConsoleRun,
): Promise<Result<readonly LimitedResult[], RunFailure>> {
  const prefix = prefixOf(explain);
  const results: LimitedResult[] = [];
  let maxBytes = MAX_BYTES;
  for (const { text, start } of statements) {
    const reply = await queryLimited(session, prefix + text, { maxRows: MAX_ROWS, maxBytes });
    if (!reply.ok) {
      const { error, position } = reply.error;
      if (position !== undefined) return failAt(error, start + unitsOf(text, position - 1 - prefix.length));
      return failAt(error, statements.length > 1 ? start : undefined);
    }
    // A text that ends the transaction would run its next statement without it, and so without read-only access.
    if (!reply.value.isInTransaction) return failAt(LEFT_TRANSACTION, start);
    maxBytes -= reply.value.bytes;
    results.push(reply.value);
  }
  return ok(results);
}

function prefixOf(explain: ConsoleRun['explain']): string {
  if (explain === undefined) return '';
  return explain === 'measure' ? 'EXPLAIN (FORMAT JSON, ANALYZE, BUFFERS) ' : 'EXPLAIN (FORMAT JSON) ';
}

async function nameTypes(
  session: Session,
  results: readonly LimitedResult[],
): Promise<Result<readonly NamedResult[], ApiError>> {
  const columns = results.flatMap((result) => result.columns ?? []);
  const list = (values: readonly number[]): string => `{${values.join(',')}}`;
  const parameters = [list(columns.map(({ typeOid }) => typeOid)), list(columns.map((column) => column.typeModifier))];
  const types = columns.length === 0 ? ok([]) : await query(session, TYPES_QUERY, parameters);
  if (!types.ok) return types;
  let next = 0;
  const nameOf = (): string => types.value[next++]?.[0] ?? 'unknown';
  return ok(
    results.map(({ command, columns: own, rows, isCut }) => ({
      command,
      columns: own?.map(({ name }) => ({ name, type: nameOf() })),
      rows,
      isCut,
    })),
  );
}

function failAt(error: ApiError, at?: number): { readonly ok: false; readonly error: RunFailure } {
  return fail({ error, at });
}

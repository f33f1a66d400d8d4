// Applies the statements of a plan to a database (`project.md` §2 items 2 and 8): in one transaction if PostgreSQL allows it.
import { DatabaseError, type Client } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ColumnName } from '../run/missing-value.ts';
import type { Plan, Step } from './schema-delta.ts';

export interface Work {
  /** Statements that run before the plan, in its first transaction. */
  readonly first: readonly string[];
  readonly plan: Pick<Plan, 'actions' | 'preamble'>;
  /** Returns statements that run after the plan, in its last transaction. */
  readonly findLast?: (client: Client) => Promise<readonly string[]>;
}

export interface ApplyFailure {
  /** `locked`: another session holds a lock on what would change. */
  readonly kind: 'locked' | 'failed';
  readonly message: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  /** The statement, which may contain secrets. */
  readonly sql: string;
  /** The column that lacks values, if it became NOT NULL. */
  readonly missing: ColumnName | undefined;
  /** Statements of the work that stay although it has failed. */
  readonly kept: readonly string[];
}

const LOCK_NOT_AVAILABLE = '55P03';
/** A new value of an enum cannot be used in the transaction that adds it. */
const UNSAFE_ENUM_VALUE = '55P04';

/** @returns why nothing has changed, apart from `kept`; rejects if the connection is lost */
export async function applyPlan(
  client: Client,
  work: Work,
  lockTimeoutMs: number,
): Promise<Result<void, ApplyFailure>> {
  const { actions } = work.plan;
  const whole = actions.every(({ transactionality }) => transactionality !== 'nonTransactional');
  const first = whole ? await runParts(client, lockTimeoutMs, work, [actions]) : undefined;
  if (first !== undefined && (first.ok || first.error.code !== UNSAFE_ENUM_VALUE)) return first;
  return runParts(client, lockTimeoutMs, work, cutSteps(actions));
}

interface CodedFailure extends ApplyFailure {
  readonly code: string | undefined;
}

async function runParts(
  client: Client,
  lockTimeoutMs: number,
  { first, plan, findLast }: Work,
  parts: readonly (readonly Step[])[],
): Promise<Result<void, CodedFailure>> {
  const kept: string[] = [];
  const isLastOpen = parts.at(-1)?.every(({ transactionality }) => transactionality !== 'nonTransactional') ?? false;
  const all = isLastOpen ? parts : [...parts, []];
  for (const [index, steps] of all.entries()) {
    const statements = [...(index === 0 ? first : []), ...steps.map(({ sql }) => sql)];
    const isAlone = steps.length === 1 && steps[0]?.transactionality === 'nonTransactional';
    const last = index === all.length - 1 ? findLast : undefined;
    const failure = await runPart(client, { statements, isAlone, plan, lockTimeoutMs, findLast: last });
    if (failure !== undefined) return fail({ ...failure, kept });
    kept.push(...statements);
  }
  return ok(undefined);
}

interface Part {
  readonly statements: readonly string[];
  readonly isAlone: boolean;
  readonly plan: Pick<Plan, 'preamble'>;
  readonly lockTimeoutMs: number;
  readonly findLast: Work['findLast'];
}

async function runPart(
  client: Client,
  { statements, isAlone, plan, lockTimeoutMs, findLast }: Part,
): Promise<Omit<CodedFailure, 'kept'> | undefined> {
  const settings = [...plan.preamble, { name: 'lock_timeout', value: String(lockTimeoutMs) }];
  const setting = settings.map(
    ({ name, value }) => `select pg_catalog.set_config('${name}', ${client.escapeLiteral(value)}, ${String(!isAlone)})`,
  );
  let current = '';
  try {
    if (!isAlone) await client.query('begin');
    await client.query(setting.join('; '));
    for (const sql of statements) {
      current = sql;
      await client.query(sql);
    }
    for (const sql of (await findLast?.(client)) ?? []) {
      current = sql;
      await client.query(sql);
    }
    // Deferred constraints are checked by COMMIT.
    if (!isAlone) await client.query('commit');
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (!isAlone) await client.query('rollback');
    const { code, message, detail, hint } = error;
    const kind = code === LOCK_NOT_AVAILABLE ? 'locked' : 'failed';
    return { kind, code, message, detail, hint, sql: current, missing: findMissing(error) };
  } finally {
    if (isAlone) await client.query('reset all');
  }
}

/** not_null_violation */
const NULL_VALUE = '23502';

function findMissing({ code, schema, table, column }: DatabaseError): ColumnName | undefined {
  const isComplete = code === NULL_VALUE && schema !== undefined && table !== undefined && column !== undefined;
  return isComplete ? { schema, table, name: column } : undefined;
}

/** Cuts where a transaction must end. */
export function cutSteps(steps: readonly Step[]): readonly (readonly Step[])[] {
  const parts: Step[][] = [[]];
  for (const step of steps) {
    const isAlone = step.transactionality === 'nonTransactional';
    if (isAlone || step.newSegmentBefore) parts.push([]);
    parts.at(-1)?.push(step);
    if (isAlone || step.transactionality === 'commitBoundaryAfter') parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

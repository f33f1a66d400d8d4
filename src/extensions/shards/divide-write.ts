// Divides a write that returns embeds: Citus cannot join the rows that a statement writes with tables that have shards. The
// first statement writes and returns keys, the second one reads the rows by them, in the same transaction. Rows that are
// deleted are read first, from the same snapshot.
import { isStream } from '../../contract/body-stream.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { DbOutcome, MainStatement } from '../../contract/transaction.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { MutateAction, PayloadColumn, ReadAction } from '../../plan/actions/action-plan.ts';
import type { ReadPlan } from '../../plan/levels/read-plan.ts';
import { FULL_RANGE } from '../../request/range.ts';
import type { PreparedRows } from '../../sql/render-script.ts';
import { renderDeleteAfter, renderMutation } from '../../sql/render-mutation.ts';
import { renderRead } from '../../sql/render-read.ts';
import { StatementBuilder } from '../../sql/text/statement-builder.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { CLAIM_VALUE } from './claims.ts';
import { completeRead, equals, selectColumn } from './complete-plan.ts';

interface DivideContext {
  readonly dialect: Dialect;
  readonly cache: SchemaCache;
}

export function divideWrite(
  prepared: PreparedRows,
  action: MutateAction,
  context: DivideContext,
): Result<PreparedRows, ApiError> {
  if (action.mutation === 'delete') {
    const main = renderRead(readDeleted(action, context), undefined);
    const cost = { ...prepared.statements.cost, text: main.text };
    const statements = { main, payloadParameter: undefined, plannedCount: undefined, cost };
    const claimAt = main.parameters.indexOf(CLAIM_VALUE);
    return ok({ ...prepared, statements, divide: (script) => deleteAfter(script, action, claimAt) });
  }
  const { main, payloadParameter } = renderMutation(returnKeys(action), context.dialect.settingsPrefix);
  const cost = { ...prepared.statements.cost, text: main.text };
  const statements = { main, payloadParameter, plannedCount: undefined, cost };
  return ok({
    ...prepared,
    statements,
    divide: (script) => inTwo(script, (first) => renderWritten(action, first, context)),
  });
}

interface FirstResult {
  readonly body: Uint8Array;
  readonly outcome: DbOutcome;
}

/** @param renderSecond renders the statement that returns the response, by the result of the script's own */
function inTwo(script: TransactionScript, renderSecond: (first: FirstResult) => MainStatement): TransactionScript {
  const [segment] = script.segments;
  return {
    ...script,
    mayStream: false,
    segments: [{ ...segment, verify: undefined, isIncomplete: undefined }],
    continue: ([result]) => {
      const body = result.kind === 'outcome' ? result.outcome.body : undefined;
      if (result.kind !== 'outcome' || body === undefined || isStream(body))
        return Promise.resolve(fail({ kind: 'undecodableResult', details: 'expected keys or rows' }));
      const main = renderSecond({ body, outcome: result.outcome });
      const last: TransactionScript = {
        ...script,
        mayStream: false,
        segments: [{ ...segment, main, budget: undefined, isContinued: true }],
        continue: script.continue ?? (() => Promise.resolve(ok(undefined))),
      };
      return Promise.resolve(ok(last));
    },
  };
}

/**
 * @param script that reads the rows with their embeds
 * @param claimAt the parameter of its statement that has become the value of the claim, if there is one
 */
function deleteAfter(script: TransactionScript, action: MutateAction, claimAt: number): TransactionScript {
  const [{ main }] = script.segments;
  // A row that is changed in the meantime ends the transaction, or another row would be deleted than is shown.
  const isolation = script.isolation === 'serializable' ? script.isolation : 'repeatable read';
  return inTwo({ ...script, isolation }, ({ body, outcome }) => {
    const builder = new StatementBuilder(action.relation.name.name);
    const text = renderDeleteAfter(action, outcome.pageRows ?? 0, body, builder);
    const tenant = main.parameters[claimAt] ?? null;
    const parameters = builder.parameters.map((value) => (value === CLAIM_VALUE ? tenant : value));
    return { ...main, text, parameters, general: undefined };
  });
}

function readDeleted({ read, where, ...action }: MutateAction, { cache }: DivideContext): ReadAction {
  return {
    ...action,
    kind: 'read',
    read: completeRead({ ...read, where: [...read.where, ...where] }, undefined, { cache, claim: undefined }),
    paging: undefined,
    contentLocation: undefined,
    isVersioned: false,
    isCostConstant: false,
  };
}

/** The write, returning the text of each key. */
function returnKeys(action: MutateAction): MutateAction {
  const { relation } = action;
  const read: ReadPlan = {
    ...action.read,
    select: relation.primaryKey.map((name) => selectColumn(name, 'text')),
    embeds: [],
    where: [],
    having: [],
    order: [],
    range: FULL_RANGE,
    distinct: undefined,
    isGrouped: false,
  };
  return {
    ...action,
    read,
    returning: { kind: 'columns', names: [...relation.primaryKey].sort() },
    delivery: { kind: 'value', encoding: 'text', body: { kind: 'json', stripped: false } },
  };
}

function renderWritten(
  action: MutateAction,
  { body, outcome }: FirstResult,
  { dialect, cache }: DivideContext,
): MainStatement {
  const { relation, read } = action;
  const key = relation.primaryKey.flatMap((name): readonly PayloadColumn[] => {
    const column = relation.columns.get(name);
    return column === undefined ? [] : [{ column, reader: undefined, operation: undefined }];
  });
  const tenant = findOnlyTenant(body, relation);
  const where = tenant === undefined ? [] : [equals(tenant.column, tenant.value)];
  const shown = completeRead({ ...read, where: [...read.where, ...where] }, undefined, { cache, claim: undefined });
  const parts = { key, hasJunctions: false, listRelations: () => [relation.name], found: outcome };
  const { main, payloadParameter = 0 } = renderMutation({ ...action, read: shown, parts }, dialect.settingsPrefix);
  return { ...main, parameters: main.parameters.with(payloadParameter, [body]) };
}

/** So few keys are read at once. */
const MAX_READ_BYTES = 65_536;

/** Returns the value of the distribution column that all rows have; undefined if there are several, or many rows. */
function findOnlyTenant(
  body: Uint8Array,
  { distribution }: MutateAction['relation'],
): { readonly column: string; readonly value: string } | undefined {
  const column = distribution?.kind === 'sharded' ? distribution.column : undefined;
  if (column === undefined || body.length > MAX_READ_BYTES) return undefined;
  const rows: unknown = JSON.parse(new TextDecoder().decode(body));
  const values = new Set(
    Array.isArray(rows) ? rows.map((row: unknown): unknown => Reflect.get(Object(row), column)) : [],
  );
  const [value] = values;
  return values.size === 1 && typeof value === 'string' ? { column, value } : undefined;
}

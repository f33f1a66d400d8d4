// Renders an insert that returns existing rows as they are (`resolution=keep-duplicates`, `beyond.md` §2.4). A row that a
// concurrent transaction inserts after the statement has begun is in neither of its parts; the run then repeats it.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ConflictPlan, ConflictTarget, MutateAction, PayloadPlan } from '../../plan/actions/action-plan.ts';
import { renderConflict, renderKey } from './conflict.ts';
import { joinClauses } from '../levels/read.ts';
import { renderPayloadRows } from './payload.ts';
import { INSERTED_KEY } from '../../plan/writes/plan-written-rows.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { freeName, listReturned, SOURCE, starOf, type WrittenRows } from './written-rows.ts';

const ROWS = '"_rows"';
const NEW = '"_new"';
const OLD = '"_old"';

export interface KeepContext {
  readonly builder: StatementBuilder;
  /** Name of the setting that contains the position of the row being inserted. */
  readonly setting: string;
  /** Expression of `DbOutcome.location`. */
  readonly report: string;
}

/** Columns, quoted. */
interface Columns {
  readonly position: string;
  readonly inserted: string;
  readonly keys: readonly string[];
  readonly returned: readonly string[];
}

type KeptAction = MutateAction & { readonly conflict: ConflictPlan };

export function renderKeptRows(action: KeptAction, payload: PayloadPlan, context: KeepContext): WrittenRows {
  const { builder, report } = context;
  const { relation } = action;
  const ref = quoteIdentifier(relation.name.name);
  const columns: Columns = {
    position: freeName(relation, '_n'),
    inserted: freeName(relation, '_inserted'),
    keys: targetOf(action).keys.map((_, index) => freeName(relation, `_k${index + 1}`)),
    returned: listReturned(action).map(quoteIdentifier),
  };
  const { position, inserted } = columns;
  const row = builder.alias();
  const rows = renderPayloadRows(payload, builder);
  // The number of rows that were neither inserted nor found. Those without a position were inserted.
  const left = `SELECT count(*) FROM ${OLD} WHERE ${position} NOT IN (SELECT ${position} FROM ${SOURCE})`;
  return {
    tables: [
      `${ROWS} AS MATERIALIZED (SELECT ${row}.*, row_number() OVER () AS ${position} FROM (${rows}) AS ${row})`,
      ...renderNew(action, payload, { columns, context }),
      `${OLD} AS MATERIALIZED (${renderOld(action, payload, columns)})`,
      `${SOURCE} AS (${renderSource(action, columns)})`,
    ],
    inserted: `(SELECT count(*) FROM ${NEW})::int`,
    report,
    total:
      action.relation.distribution === undefined
        ? `(${left})`
        : `(SELECT (${left}) - count(*) FROM ${NEW} WHERE ${position} = 0)`,
    source: {
      from: `${SOURCE} AS ${ref}`,
      columns: starOf(action),
      order: `${ref}.${position}`,
      extra: action.showsInserted ? new Map([[INSERTED_KEY, `${ref}.${inserted}`]]) : undefined,
    },
  };
}

function targetOf({ conflict: { target } }: KeptAction): ConflictTarget {
  if (target === 'any') throw new Error('rows are kept by a unique index');
  return target;
}

function renderShown(action: KeptAction, { returned, keys }: Columns): string {
  const ref = quoteIdentifier(action.relation.name.name);
  return [
    ...returned.map((name) => `${ref}.${name}`),
    ...targetOf(action).keys.map((key, index) => `${renderKey(key)} AS ${keys[index]}`),
  ].join(', ');
}

/**
 * Renders the inserted rows with their positions. Each position is recorded before its row is inserted, so that RETURNING
 * knows it. On shards, other servers insert the rows, which are found by their keys afterwards; a row whose key was not
 * sent has the position 0.
 */
function renderNew(
  action: KeptAction,
  payload: PayloadPlan,
  { columns, context: { setting } }: { readonly columns: Columns; readonly context: KeepContext },
): readonly string[] {
  const { position } = columns;
  const names = payload.columns.map(({ column }) => quoteIdentifier(column.name)).join(', ');
  const render = (where: string, further: string): string =>
    joinClauses([
      `INSERT INTO ${quoteQualified(action.relation.name)}${names === '' ? '' : ` (${names})`}`,
      joinClauses(['SELECT', names, `FROM ${ROWS}`]),
      where,
      renderConflict(
        action.conflict,
        { columns: payload.columns, table: action.relation.name.name },
        { counter: '', mark: undefined },
      ),
      `RETURNING ${renderShown(action, columns)}${further}`,
    ]);
  if (action.relation.distribution === undefined) {
    const where = `WHERE set_config('${setting}', ${position}::text, true) <> ''`;
    return [`${NEW} AS (${render(where, `, current_setting('${setting}')::bigint AS ${position}`)})`];
  }
  const given = renderKeys(action, payload, { columns, rows: ROWS });
  const isSame = renderSameKey(action, columns, ['"_written"', '"_given"']);
  const place = `(SELECT min("_given".${position}) FROM (${given}) AS "_given" WHERE ${isSame})`;
  return [
    `"_written" AS (${render('', '')})`,
    `${NEW} AS MATERIALIZED (SELECT "_written".*, coalesce(${place}, 0) AS ${position} FROM "_written")`,
  ];
}

/** Renders the position and the keys of the rows that were not inserted. */
function renderOld(action: KeptAction, payload: PayloadPlan, columns: Columns): string {
  const { position } = columns;
  const isLeft = `${position} NOT IN (SELECT ${position} FROM ${NEW})`;
  return renderKeys(action, payload, { columns, rows: `${ROWS} WHERE ${isLeft}` });
}

/** Renders the position and the keys of rows that were sent. Keys that were not sent are defaults. */
function renderKeys(
  action: KeptAction,
  payload: PayloadPlan,
  { columns: { keys, position }, rows }: { readonly columns: Columns; readonly rows: string },
): string {
  const target = targetOf(action);
  const values = target.keys.map((key, index) => `${renderKey(key)} AS ${keys[index]}`);
  const unsent = renderUnsent(action.relation, payload, target);
  return `SELECT ${[...values, position].join(', ')} FROM (SELECT ${['*', ...unsent].join(', ')} FROM ${rows}) AS "_left"`;
}

/** @param tables two tables with the keys, the first of which contains stored rows */
function renderSameKey(
  action: KeptAction,
  { keys }: Columns,
  [stored, given]: readonly [stored: string, given: string],
): string {
  const { hasEqualNulls } = targetOf(action);
  const equals = (key: string): string => {
    const [found, old] = [`${stored}.${key}`, `${given}.${key}`];
    return hasEqualNulls ? `(${found} = ${old} OR ${found} IS NULL AND ${old} IS NULL)` : `${found} = ${old}`;
  };
  return keys.map(equals).join(' AND ');
}

/**
 * The columns of an expression are not known, so all must exist. The next number of a sequence is not the key of a row
 * that exists.
 */
function renderUnsent({ columns }: Relation, payload: PayloadPlan, { keys }: ConflictTarget): readonly string[] {
  const sent = new Set(payload.columns.map(({ column }) => column.name));
  const names = new Set(keys.map((key) => (key.kind === 'column' ? key.name : undefined)));
  const needed = [...columns.values()].filter(
    ({ name }) => !sent.has(name) && (names.has(name) || names.has(undefined)),
  );
  return needed.map(({ name, type, nominalType, defaultExpression }) => {
    const isDefault = defaultExpression !== undefined && !defaultExpression.includes('nextval(');
    const value = isDefault ? `CAST(${defaultExpression} AS ${type})` : `NULL::${nominalType}`;
    return `${value} AS ${quoteIdentifier(name)}`;
  });
}

/** New rows, rows that existed before, and new rows for elements that repeat an earlier one. */
function renderSource(action: KeptAction, columns: Columns): string {
  const { returned, position, inserted } = columns;
  const { predicate } = targetOf(action);
  const where = predicate === undefined ? '' : ` WHERE ${predicate}`;
  const stored = `SELECT ${renderShown(action, columns)} FROM ${quoteQualified(action.relation.name)}${where}`;
  const shown = (table: string): readonly string[] => returned.map((name) => `${table}.${name}`);
  const isSame = renderSameKey(action, columns, ['"_found"', OLD]);
  const kept = [...shown('"_found"'), `${OLD}.${position}`, 'FALSE'].join(', ');
  const repeated = `SELECT ${kept} FROM ${OLD} JOIN ${NEW} AS "_found" ON ${isSame}`;
  return [
    `SELECT ${[...returned, position, `TRUE AS ${inserted}`].join(', ')} FROM ${NEW}`,
    `SELECT ${kept} FROM ${OLD} JOIN (${stored}) AS "_found" ON ${isSame}`,
    // Citus reads the stored rows after the insert.
    ...(action.relation.distribution === undefined ? [repeated] : []),
  ].join(' UNION ALL ');
}

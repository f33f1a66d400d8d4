// Statements that keep rows and values where the library would recreate an object (`project.md` §2 item 5).
import { DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import type { SqlClient } from '../../embedded/script/sql-session.ts';
import { type ColumnId, isColumnId, isTableId, quoteName, type TableId } from '../compare/object-id.ts';
import type { Plan, SchemaState } from '../compare/schema-delta.ts';

type Change = Extract<Plan['deltas'][number], { readonly verb: 'set' }>;

/** @returns statements after which the plan is made again; any of them may fail */
export function findKeeping({ deltas }: Pick<Plan, 'deltas'>, to: SchemaState): readonly string[] {
  const changes = deltas.filter((delta) => delta.verb === 'set');
  const kept = changes.flatMap((change) => {
    const { id, attr } = change;
    if (isColumnId(id)) return keepColumn(id, change, to);
    if (id.kind === 'sequence' && typeof id.schema === 'string')
      return keepSequence(quoteName(id.schema, id.name), change);
    return isTableId(id) && attr === 'parentTable' ? keepTable(id, change, to) : [];
  });
  return [...renameSequences(deltas), ...renameConstraints(deltas), ...kept];
}

/** @param client in a transaction @returns the statements that succeed, which have run */
export async function tryEach(client: SqlClient, statements: readonly string[]): Promise<readonly string[]> {
  const succeeded: string[] = [];
  for (const sql of statements) {
    await client.query('savepoint keeping');
    try {
      await client.query(sql);
      succeeded.push(sql);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      await client.query('rollback to savepoint keeping');
    }
    await client.query('release savepoint keeping');
  }
  return succeeded;
}

/** A constraint that only has another name, such as the key of a renamed table, keeps its index. */
function renameConstraints(deltas: Plan['deltas']): readonly string[] {
  const gone = deltas.flatMap((delta) => (delta.verb === 'remove' ? readConstraint(delta.fact) : []));
  const come = deltas.flatMap((delta) => (delta.verb === 'add' ? readConstraint(delta.fact) : []));
  const isAlike = (one: NamedConstraint, other: NamedConstraint): boolean =>
    one.relation === other.relation && one.content === other.content;
  return gone.flatMap((old) => {
    const matches = come.filter((other) => isAlike(old, other));
    const [match] = matches;
    if (match === undefined || matches.length > 1 || gone.filter((other) => isAlike(old, other)).length > 1) return [];
    return [
      `alter table ${old.relation} rename constraint ${escapeIdentifier(old.name)} to ${escapeIdentifier(match.name)}`,
    ];
  });
}

interface NamedConstraint {
  readonly relation: string;
  readonly name: string;
  readonly content: string;
}

function readConstraint({ id, parent, payload }: Fact): readonly NamedConstraint[] {
  if (id.kind !== 'constraint' || parent?.kind !== 'table') return [];
  return [{ relation: quoteName(id.schema, id.table), name: id.name, content: JSON.stringify(payload) }];
}

/** The sequence of a column that was renamed with its table keeps its value. */
function renameSequences(deltas: Plan['deltas']): readonly string[] {
  const gone = deltas.flatMap((delta) => (delta.verb === 'remove' ? readOwned(delta.fact) : []));
  const come = deltas.flatMap((delta) => (delta.verb === 'add' ? readOwned(delta.fact) : []));
  return gone.flatMap(({ schema, name, owner }) => {
    const successor = come.find((other) => other.owner === owner && other.schema === schema);
    return successor === undefined
      ? []
      : [`alter sequence ${quoteName(schema, name)} rename to ${escapeIdentifier(successor.name)}`];
  });
}

interface OwnedSequence {
  readonly schema: string;
  readonly name: string;
  /** Column that owns it, as JSON. */
  readonly owner: string;
}

type Fact = Extract<Plan['deltas'][number], { readonly verb: 'add' }>['fact'];

function readOwned({ id, payload }: Fact): readonly OwnedSequence[] {
  const { ownedBy } = payload;
  if (id.kind !== 'sequence' || ownedBy === null || ownedBy === undefined) return [];
  return [{ schema: id.schema, name: id.name, owner: JSON.stringify(ownedBy) }];
}

export interface SequenceAdvance {
  readonly schema: string;
  readonly table: string;
  readonly sql: string;
}

/** Finds statements to run after the plan: a column that gets a sequence may have values already. */
export function findAdvances({ deltas }: Pick<Plan, 'deltas'>): readonly SequenceAdvance[] {
  return deltas.flatMap((delta) => {
    if (delta.verb === 'set' && delta.attr === 'identity' && delta.from === null && isColumnId(delta.id))
      return [advance(delta.id.schema, delta.id.table, delta.id.name)];
    const owner: unknown =
      delta.verb === 'add' && delta.fact.id.kind === 'sequence' ? delta.fact.payload['ownedBy'] : null;
    if (typeof owner !== 'object' || owner === null) return [];
    const [schema, table, column] = ['schema', 'table', 'column'].map((key): unknown => Reflect.get(owner, key));
    const isComplete = typeof schema === 'string' && typeof table === 'string' && typeof column === 'string';
    return isComplete ? [advance(schema, table, column)] : [];
  });
}

function advance(schema: string, table: string, column: string): SequenceAdvance {
  const [relation, value] = [quoteName(schema, table), escapeIdentifier(column)];
  const sequence = `pg_catalog.pg_get_serial_sequence(${escapeLiteral(relation)}, ${escapeLiteral(column)})`;
  const sql = `select pg_catalog.setval(${sequence}, max(${value})) from ${relation} having max(${value}) > 0`;
  return { schema, table, sql };
}

/** The first version that can change an expression in place. */
const SET_EXPRESSION = 17;

function keepColumn(
  id: ColumnId,
  { attr, from, to: wanted }: Change,
  { facts, version }: SchemaState,
): readonly string[] {
  const column = `alter table ${quoteName(id.schema, id.table)} alter column ${escapeIdentifier(id.name)}`;
  if (attr === 'generatedExpr' && from !== null && wanted === null) return [`${column} drop expression`];
  if (attr === 'generatedExpr' && typeof from === 'string' && typeof wanted === 'string' && version >= SET_EXPRESSION)
    return [`${column} set expression as (${wanted})`];
  if (attr !== 'collation') return [];
  const type: unknown = facts.get(id)?.payload['type'];
  if (typeof type !== 'string') return [];
  return [`${column} type ${type}${typeof wanted === 'string' ? ` collate ${wanted}` : ''}`];
}

/** A sequence that has not reached its new smallest value begins there; one beyond its new largest value ends there. */
function keepSequence(name: string, { attr, to: bound }: Change): readonly string[] {
  const isBeyond = attr === 'minValue' ? '<' : attr === 'maxValue' ? '>' : undefined;
  if (isBeyond === undefined || typeof bound !== 'string' || !/^-?\d+$/u.test(bound)) return [];
  const value = `select pg_catalog.setval(${escapeLiteral(name)}, ${bound}, false) from ${name}`;
  return [`${value} where last_value ${isBeyond} ${bound}`];
}

/** A partition is detached or attached, a child leaves or joins its parent. */
function keepTable(id: TableId, { from, to: wanted }: Change, { facts }: SchemaState): readonly string[] {
  const [table, bound]: [string, unknown] = [quoteName(id.schema, id.name), facts.get(id)?.payload['partitionBound']];
  const [before, after] = [parentOf(from), parentOf(wanted)];
  const join = typeof bound === 'string' ? `alter table ${after} attach partition ${table} ${bound}` : undefined;
  return [
    ...(before === undefined ? [] : [`alter table ${before} detach partition ${table}`]),
    ...(after === undefined ? [] : [join ?? `alter table ${table} inherit ${after}`]),
  ];
}

function parentOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [schema, name]: unknown[] = [Reflect.get(value, 'schema'), Reflect.get(value, 'name')];
  return typeof schema === 'string' && typeof name === 'string' ? quoteName(schema, name) : undefined;
}

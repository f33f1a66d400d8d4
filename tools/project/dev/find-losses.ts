// Finds the rows and values that a plan would lose (`project.md` §2 item 5).
import { DatabaseError, escapeIdentifier, type Client } from 'pg';
import { type ColumnId, describeObject, type ObjectId, type TableId } from '../compare/object-id.ts';
import type { Plan } from '../compare/schema-delta.ts';

/** What would be lost, for a person: `table items with 3 rows`. */
export type Loss = string;

/** @param client not in a transaction */
export async function findLosses(
  client: Client,
  { actions, deltas }: Pick<Plan, 'actions' | 'deltas'>,
  schemas: readonly string[],
): Promise<readonly Loss[]> {
  const plain = new Set(schemas);
  const destroyed = actions
    .filter(({ dataLoss }) => dataLoss === 'destructive')
    .flatMap(({ destroys }) => destroys.filter(isContainer));
  const tables = new Set(destroyed.filter(({ kind }) => kind === 'table').map((id) => JSON.stringify(id)));
  const losses: Loss[] = [];
  for (const id of destroyed) {
    if (id.kind === 'column' && tables.has(JSON.stringify({ kind: 'table', schema: id.schema, name: id.table })))
      continue;
    losses.push(...(await countDropped(client, id, plain)));
  }
  for (const delta of deltas)
    if (delta.verb === 'set' && isColumn(delta.id) && delta.attr === 'type')
      losses.push(...(await countMisfits(client, { id: delta.id, from: delta.from, to: delta.to }, plain)));
  return losses;
}

type DroppedId = TableId | ColumnId | (ObjectId & { readonly kind: 'typeAttribute' });

function isContainer(id: ObjectId): id is DroppedId {
  return id.kind === 'table' || id.kind === 'column' || id.kind === 'typeAttribute';
}

function isColumn(id: ObjectId): id is ColumnId {
  return id.kind === 'column';
}

async function countDropped(client: Client, id: DroppedId, plain: ReadonlySet<string>): Promise<readonly Loss[]> {
  if (id.kind === 'typeAttribute') return [`the values of ${describeObject(id, plain)}`];
  const isColumn = id.kind === 'column';
  const source = relationOf(id.schema, isColumn ? id.table : id.name);
  const count = await countRows(client, `select count(${isColumn ? escapeIdentifier(id.name) : '*'}) from ${source}`);
  if (count === 0) return [];
  const noun = isColumn ? 'value' : 'row';
  return [`${describeObject(id, plain)} with ${count} ${noun}${count === 1 ? '' : 's'}`];
}

interface TypeChange {
  readonly id: ColumnId;
  readonly from: unknown;
  readonly to: unknown;
}

/** Counts the values that the other type cannot hold, or changes. */
async function countMisfits(
  client: Client,
  { id, from, to }: TypeChange,
  plain: ReadonlySet<string>,
): Promise<readonly Loss[]> {
  const [source, column] = [relationOf(id.schema, id.table), escapeIdentifier(id.name)];
  const what = `${describeObject(id, plain)} (${String(from)} to ${String(to)})`;
  const changed = `${column}::${String(to)}::${String(from)} is distinct from ${column}`;
  try {
    const count = await countRows(client, `select count(*) from ${source} where ${changed}`);
    return count === 0 ? [] : [`${count} ${count === 1 ? 'value' : 'values'} of ${what}`];
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const isOfData = error.code?.startsWith('22') ?? false;
    // Types that do not exist yet, or between which there is no cast, are left to the statement itself.
    return isOfData ? [`values of ${what}: ${error.message}`] : [];
  }
}

async function countRows(client: Client, sql: string): Promise<number> {
  const { rows } = await client.query<[string]>({ text: sql, rowMode: 'array' });
  return Number(rows[0]?.[0] ?? 0);
}

function relationOf(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

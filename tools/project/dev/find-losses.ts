// Finds the rows and values that a plan would lose (`project.md` §2 item 5).
import { DatabaseError, escapeIdentifier, type Client } from 'pg';
import { escapeLine } from '../../../src/observe/escape-text.ts';
import {
  type ColumnId,
  describeObject,
  isColumnId,
  type ObjectId,
  quoteName,
  type TableId,
} from '../compare/object-id.ts';
import type { Plan } from '../compare/schema-delta.ts';
import type { Rename } from './find-renames.ts';

/** What would be lost, for a person: `table items with 3 rows`. */
export type Loss = string;

type TypeId = ObjectId & { readonly kind: 'type' };
type AttributeId = ObjectId & { readonly kind: 'typeAttribute' };

interface TypedColumn {
  /** The quoted name of the table. */
  readonly relation: string;
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly isArray: boolean;
}

/** Columns of a type, or of an array of it. */
const COLUMNS_OF_TYPE = `select class.oid::regclass::text as relation, space.nspname as schema, relname as table,
  attname as name, atttypid = typarray as "isArray"
from pg_catalog.pg_type as type
join pg_catalog.pg_namespace as its on its.oid = type.typnamespace and its.nspname = $1
join pg_catalog.pg_attribute on atttypid in (type.oid, type.typarray) and not attisdropped
join pg_catalog.pg_class as class on class.oid = attrelid and class.relkind = 'r'
join pg_catalog.pg_namespace as space on space.oid = class.relnamespace
where type.typname = $2`;

const LOCK_TIMEOUT_MS = 2000;
/** insufficient_privilege, lock_not_available */
const CANNOT_COUNT: ReadonlySet<string | undefined> = new Set(['42501', '55P03']);

export interface LossRequest {
  readonly plan: Pick<Plan, 'actions' | 'deltas'>;
  /** The plan calls tables and columns by the names that they have after these. */
  readonly renames: readonly Rename[];
  /** Whose names are left out of descriptions. */
  readonly schemas: readonly string[];
}

/** @param client not in a transaction */
export function findLosses(client: Client, request: LossRequest): Promise<readonly Loss[]> {
  return new LossCount(client, request).find();
}

type DroppedId = TableId | ColumnId | AttributeId;
type Change = Extract<Plan['deltas'][number], { readonly verb: 'set' }>;

class LossCount {
  readonly #client: Client;
  readonly #plan: LossRequest['plan'];
  readonly #renames: readonly Rename[];
  readonly #plain: ReadonlySet<string>;

  constructor(client: Client, { plan, renames, schemas }: LossRequest) {
    this.#client = client;
    this.#plan = plan;
    this.#renames = renames;
    this.#plain = new Set(schemas);
  }

  async find(): Promise<readonly Loss[]> {
    const { actions, deltas } = this.#plan;
    const destroyed = actions
      .filter(({ dataLoss }) => dataLoss === 'destructive')
      .flatMap(({ destroys }) => destroys.filter(isContainer));
    const keys = new Set(destroyed.map((id) => JSON.stringify(id)));
    const changes = deltas.filter((delta) => delta.verb === 'set');
    const losses: Loss[] = [];
    for (const id of destroyed) {
      const isOfTable =
        id.kind === 'column' && keys.has(JSON.stringify({ kind: 'table', schema: id.schema, name: id.table }));
      if (!isOfTable) losses.push(...(await this.#countDropped(id)));
    }
    for (const change of changes) losses.push(...(await this.#countChanged(change)));
    return losses.map(escapeLine);
  }

  async #countDropped(id: DroppedId): Promise<readonly Loss[]> {
    const what = describeObject(id, this.#plain);
    if (id.kind === 'typeAttribute') return this.#countAttribute(id);
    if (id.kind === 'column') return this.#countColumn(id);
    const table = this.#relation(id.schema, id.name);
    const count = await this.#count(table, `select count(*) from ${table}`);
    return count === 0 ? [] : [`${what} with ${countOf(count, 'row')}`];
  }

  /** Values that are generated from others can be generated again. */
  async #countColumn(id: ColumnId): Promise<readonly Loss[]> {
    const [table, column] = [this.#tableOf(id), this.#columnOf(id)];
    const isGenerated = `select count(*) from pg_catalog.pg_attribute
      where attrelid = $1::regclass and attname = $2 and attgenerated <> ''`;
    if ((await readCount(this.#client, isGenerated, [table, this.#originalName(id)])) > 0) return [];
    const count = await this.#count(table, `select count(${column}) from ${table}`);
    return count === 0 ? [] : [`${describeObject(id, this.#plain)} with ${countOf(count, 'value')}`];
  }

  async #countAttribute({ schema, type, name }: AttributeId): Promise<readonly Loss[]> {
    const losses: Loss[] = [];
    for (const column of await this.#columnsOfType(schema, type)) {
      const value = escapeIdentifier(column.name);
      const source = column.isArray
        ? `${column.relation}, unnest(${value}) as element where element.${escapeIdentifier(name)}`
        : `${column.relation} where (${value}).${escapeIdentifier(name)}`;
      const count = await this.#count(column.relation, `select count(*) from ${source} is not null`);
      const what = describeObject({ kind: 'column', ...column }, this.#plain);
      if (count !== 0) losses.push(`attribute ${type}.${name} with ${countOf(count, 'value')} in ${what}`);
    }
    return losses;
  }

  async #columnsOfType(schema: string, type: string): Promise<readonly TypedColumn[]> {
    const { rows } = await this.#client.query<TypedColumn>(COLUMNS_OF_TYPE, [schema, type]);
    return rows;
  }

  async #countChanged(change: Change): Promise<readonly Loss[]> {
    const { id, attr } = change;
    if (isTypeId(id) && attr === 'values') return this.#countRemoved(id, change);
    return isColumnId(id) && attr === 'type' ? this.#countMisfits(id, change) : [];
  }

  /** Counts the rows that use a value which an enum no longer has. */
  async #countRemoved(id: TypeId, { from, to }: Change): Promise<readonly Loss[]> {
    const kept = new Set(listOf(to));
    const removed = listOf(from).filter((value) => !kept.has(value));
    if (removed.length === 0) return [];
    const losses: Loss[] = [];
    for (const column of await this.#columnsOfType(id.schema, id.name)) {
      const value = escapeIdentifier(column.name);
      const uses = column.isArray ? `${value}::text[] && $1` : `${value}::text = any($1)`;
      const sql = `select count(*) from ${column.relation} where ${uses}`;
      const count = await this.#count(column.relation, sql, [removed]);
      const what = describeObject({ kind: 'column', ...column }, this.#plain);
      if (count !== 0) losses.push(`${countOf(count, 'value')} of ${what} (${removed.join(', ')})`);
    }
    return losses;
  }

  /** Counts the values that the other type cannot hold, or changes. */
  async #countMisfits(id: ColumnId, { from, to }: Change): Promise<readonly Loss[]> {
    if (typeof from !== 'string' || typeof to !== 'string') return [];
    const column = this.#columnOf(id);
    const what = `${describeObject(id, this.#plain)} (${from} to ${to})`;
    const changed = `${column}::${to}::${from} is distinct from ${column}`;
    try {
      const table = this.#tableOf(id);
      const count = await this.#count(table, `select count(*) from ${table} where ${changed}`);
      return count === 0 ? [] : [`${countOf(count, 'value')} of ${what}`];
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const isOfData = error.code?.startsWith('22') ?? false;
      // Types that do not exist yet, or between which there is no cast, are left to the statement itself.
      return isOfData ? [`values of ${what}: ${error.message}`] : [];
    }
  }

  /**
   * Counts all rows, also those that row-level security would hide from the owner of the table.
   *
   * @returns undefined if that is not possible
   */
  async #count(table: string, sql: string, values: readonly unknown[] = []): Promise<number | undefined> {
    // The first setting turns what would hide rows into an error. The owner may then lift it for the count.
    const lift = `set local lock_timeout = ${LOCK_TIMEOUT_MS}; alter table ${table} no force row level security`;
    for (const setting of ['set local row_security = off', lift]) {
      try {
        await this.#client.query(`begin; ${setting}`);
        return await readCount(this.#client, sql, values);
      } catch (error) {
        if (!(error instanceof DatabaseError && CANNOT_COUNT.has(error.code))) throw error;
      } finally {
        await this.#client.query('rollback');
      }
    }
    return undefined;
  }

  #tableOf({ schema, table }: ColumnId): string {
    return this.#relation(schema, table);
  }

  #relation(schema: string, name: string): string {
    const rename = this.#renames.find((one) => one.table === undefined && one.schema === schema && one.to === name);
    return quoteName(rename?.fromSchema ?? schema, rename?.from ?? name);
  }

  #columnOf(id: ColumnId): string {
    return escapeIdentifier(this.#originalName(id));
  }

  #originalName({ schema, table, name }: ColumnId): string {
    const rename = this.#renames.find((one) => one.table === table && one.schema === schema && one.to === name);
    return rename?.from ?? name;
  }
}

function isTypeId(id: ObjectId): id is TypeId {
  return id.kind === 'type';
}

function isContainer(id: ObjectId): id is DroppedId {
  return id.kind === 'table' || id.kind === 'column' || id.kind === 'typeAttribute';
}

function countOf(count: number | undefined, noun: string): string {
  if (count === undefined) return `an unknown number of ${noun}s`;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

async function readCount(client: Client, sql: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await client.query<[string]>({ text: sql, rowMode: 'array', values: [...values] });
  return Number(rows[0]?.[0] ?? 0);
}

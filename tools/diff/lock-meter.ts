// Which locks the statements of a migration take on tables that existed before it: PostgreSQL itself says so, while the
// migration is applied to a clone. It takes the same locks there as on the tables with rows.
import type { SqlClient } from '../embedded/script/sql-session.ts';

export interface TableLock {
  /** `api.orders`, as before the statement. */
  readonly table: string;
  readonly mode: BlockingMode;
  /** Whether the statement rewrites the table. */
  readonly isRewritten: boolean;
}

export type BlockingMode = 'SHARE' | 'SHARE ROW EXCLUSIVE' | 'EXCLUSIVE' | 'ACCESS EXCLUSIVE';

/** Modes that block reads or writes, the weakest first. */
const MODES: ReadonlyMap<string, BlockingMode> = new Map([
  ['ShareLock', 'SHARE'],
  ['ShareRowExclusiveLock', 'SHARE ROW EXCLUSIVE'],
  ['ExclusiveLock', 'EXCLUSIVE'],
  ['AccessExclusiveLock', 'ACCESS EXCLUSIVE'],
]);
const STRENGTHS: readonly BlockingMode[] = [...MODES.values()];

interface Table {
  readonly name: string;
  /** Changes when the table is rewritten. */
  readonly file: string;
}

const TABLE = `concat(nspname, '.', relname) as name, relfilenode::text as file
from pg_catalog.pg_class as class join pg_catalog.pg_namespace as space on space.oid = relnamespace`;

const TABLES = `select class.oid::text, ${TABLE}
where relkind in ('r', 'p', 'f') and nspname !~ '^pg_' and nspname <> 'information_schema'`;

/** A table that is gone has no name. */
const LOCKS = `select relation::text as oid, mode, name, file from pg_catalog.pg_locks
left join lateral (select ${TABLE} where class.oid = relation) as locked on true
where pid = pg_catalog.pg_backend_pid() and locktype = 'relation' and granted and mode = any ($1)`;

interface LockRow {
  readonly oid: string;
  readonly mode: string;
  readonly name: string | null;
  readonly file: string | null;
}

export class LockMeter {
  readonly #client: SqlClient;
  #tables: ReadonlyMap<string, Table>;
  #held = new Map<string, BlockingMode>();

  private constructor(client: SqlClient, tables: ReadonlyMap<string, Table>) {
    this.#client = client;
    this.#tables = tables;
  }

  /** @param client of the database before the migration */
  static async start(client: SqlClient): Promise<LockMeter> {
    const { rows } = await client.query<Table & { readonly oid: string }>(TABLES);
    return new LockMeter(client, new Map(rows.map(({ oid, name, file }) => [oid, { name, file }])));
  }

  /** Call it when a transaction begins. */
  release(): void {
    this.#held = new Map();
  }

  /**
   * Call it after each statement of a transaction.
   *
   * @param named tables that the statement names: their locks are reported also if an earlier statement took them
   */
  async read(named: readonly string[] = []): Promise<readonly TableLock[]> {
    if (this.#tables.size === 0) return [];
    const { rows } = await this.#client.query<LockRow>(LOCKS, [[...MODES.keys()]]);
    const before = this.#held;
    this.#held = new Map();
    const now = new Map<string, Table>();
    for (const { oid, mode, name, file } of rows) {
      if (name !== null && file !== null) now.set(oid, { name, file });
      const known = MODES.get(mode);
      const other = this.#held.get(oid);
      if (known !== undefined && (other === undefined || strengthOf(known) > strengthOf(other)))
        this.#held.set(oid, known);
    }
    const tables = this.#tables;
    // Only a statement that locks a table renames, rewrites or drops it. Tables of the migration itself are left out.
    this.#tables = new Map(
      [...tables].flatMap(([oid, table]): [string, Table][] => {
        const found = this.#held.has(oid) ? now.get(oid) : table;
        return found === undefined ? [] : [[oid, found]];
      }),
    );
    return [...this.#held].flatMap(([oid, mode]): readonly TableLock[] => {
      const table = tables.get(oid);
      if (table === undefined) return [];
      const current = now.get(oid);
      const isRewritten = current !== undefined && current.file !== table.file;
      const isShown = isRewritten || before.get(oid) !== mode || named.includes(table.name);
      return isShown ? [{ table: table.name, mode, isRewritten }] : [];
    });
  }
}

function strengthOf(mode: BlockingMode): number {
  return STRENGTHS.indexOf(mode);
}

/** Renders one line for each mode: `ACCESS EXCLUSIVE on api.orders, against reads and writes`. */
export function renderLocks(locks: readonly TableLock[]): readonly string[] {
  return STRENGTHS.toReversed().flatMap((mode) => {
    const own = locks.filter((lock) => lock.mode === mode);
    if (own.length === 0) return [];
    const names = [...new Set(own.map(({ table }) => table))].sort();
    const rewritten = [...new Set(own.filter(({ isRewritten }) => isRewritten).map(({ table }) => table))].sort();
    const effect = mode === 'ACCESS EXCLUSIVE' ? 'reads and writes' : 'writes';
    const how = rewritten.length === 0 ? '' : `, while ${rewritten.join(', ')} is rewritten`;
    return [`${mode} on ${names.join(', ')}, against ${effect}${how}`];
  });
}

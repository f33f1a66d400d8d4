// Finds the groups that a transaction may concern without visiting all groups (`beyond.md` §3.1b.5). A group registers
// the relations that it depends on, and the keys of the rows that it has or is reading.
import type { LogTransaction } from '../log/log-changes.ts';
import type { LiveEquality } from '../plan/plan-live.ts';
import { SetMap } from './set-map.ts';
import { TableInterests } from './table-interests.ts';

/** The relations and rows that a group depends on. */
export interface Dependence {
  /** Relations whose changes always concern the group; `any`: all relations. */
  readonly relations: ReadonlySet<number> | 'any';
  /** Undefined if every change of its tables concerns the group, whatever the row. */
  readonly rows: RowDependence | undefined;
}

export interface RowDependence {
  /** Tables of which only rows with this value or with a known key concern the group. */
  readonly tables: ReadonlySet<number>;
  /** Names of the columns of the primary key. */
  readonly key: readonly string[];
  readonly equality: LiveEquality;
}

export const DEPENDS_ON_ANY: Dependence = { relations: 'any', rows: undefined };

type Listener = (transaction: LogTransaction) => void;

interface KnownTable {
  readonly name: string;
  readonly interests: TableInterests<Interest>;
}

export class Interests {
  readonly #any: Set<Interest> = new Set();
  readonly #byRelation: SetMap<number, Interest> = new SetMap();
  /** By oid; the partitions of a table share an entry. */
  readonly #byTable: SetMap<number, KnownTable> = new SetMap();
  readonly #tables: Map<string, KnownTable> = new Map();

  /** @param listener called with the transactions that may concern the group; all of them, at first */
  enter(listener: Listener): Interest {
    return new Interest(this, listener);
  }

  pass(transaction: LogTransaction): void {
    const concerned = new Set(this.#any);
    for (const [oid, changes] of transaction.changes) {
      for (const interest of this.#byRelation.get(oid) ?? []) concerned.add(interest);
      for (const { interests } of this.#byTable.get(oid) ?? [])
        for (const interest of interests.find(changes)) concerned.add(interest);
    }
    for (const interest of concerned) interest.listener(transaction);
  }

  /** @returns where the group registers its keys */
  add(interest: Interest, { relations, rows }: Dependence): TableInterests<Interest> | undefined {
    if (relations === 'any') this.#any.add(interest);
    else for (const oid of relations) this.#byRelation.add(oid, interest);
    if (rows === undefined) return undefined;
    const table = this.#findTable(rows);
    table.interests.add(interest, rows.equality);
    return table.interests;
  }

  delete(interest: Interest, { relations, rows }: Dependence): void {
    if (relations === 'any') this.#any.delete(interest);
    else for (const oid of relations) this.#byRelation.delete(oid, interest);
    if (rows === undefined) return;
    const table = this.#findTable(rows);
    table.interests.delete(interest, rows.equality);
    if (!table.interests.isEmpty) return;
    this.#tables.delete(table.name);
    for (const oid of rows.tables) this.#byTable.delete(oid, table);
  }

  #findTable({ tables, key }: RowDependence): KnownTable {
    const name = JSON.stringify([[...tables], key]);
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = { name, interests: new TableInterests<Interest>(key) };
    this.#tables.set(name, table);
    for (const oid of tables) this.#byTable.add(oid, table);
    return table;
  }
}

/** The registration of one group. */
export class Interest {
  readonly listener: Listener;
  readonly #interests: Interests;
  readonly #keys: Set<string> = new Set();
  #dependence: Dependence = DEPENDS_ON_ANY;
  #table: TableInterests<Interest> | undefined;
  #isOpen = false;

  constructor(interests: Interests, listener: Listener) {
    this.#interests = interests;
    this.listener = listener;
    interests.add(this, this.#dependence);
  }

  /** Replaces the relations and rows that the group depends on. */
  depend(dependence: Dependence): void {
    this.leave();
    this.#dependence = dependence;
    this.#table = this.#interests.add(this, dependence);
    for (const key of this.#keys) this.#table?.addKey(this, key);
    this.#table?.setOpen(this, this.#isOpen);
  }

  /** Whether a change of the row with this key concerns the group, whatever its values. */
  knows(key: string): boolean {
    return this.#isOpen || this.#keys.has(key);
  }

  /** Call when the group begins to read all rows: until `close`, any key may belong to its result. */
  open(): void {
    this.#isOpen = true;
    this.#table?.setOpen(this, true);
  }

  /** @param keys of the rows that the group has or is reading */
  close(keys: Iterable<string>): void {
    this.#isOpen = false;
    this.#table?.setOpen(this, false);
    for (const key of this.#keys) this.#table?.deleteKey(this, key);
    this.#keys.clear();
    this.know(keys);
  }

  know(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#keys.add(key);
      this.#table?.addKey(this, key);
    }
  }

  forget(key: string): void {
    this.#keys.delete(key);
    this.#table?.deleteKey(this, key);
  }

  /** Removes the registration. */
  leave(): void {
    for (const key of this.#keys) this.#table?.deleteKey(this, key);
    this.#interests.delete(this, this.#dependence);
    this.#table = undefined;
  }
}

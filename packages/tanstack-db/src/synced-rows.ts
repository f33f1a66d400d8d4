// The rows of a collection as the server sends them, each with the reads that contain it.
import { deepEquals, type SyncConfig } from '@tanstack/db';
import type { Change } from '@rowhouse/live';
import { type Key, readKeyColumns } from './key-columns.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- rows of any type
type Row = any;
type SyncActions = Pick<Parameters<SyncConfig<Row, Key>['sync']>[0], 'begin' | 'write' | 'commit'>;
/** Resolves when the rows are visible. */
type Receipt = ReturnType<SyncActions['commit']>;

interface KnownRow {
  readonly row: Row;
  readonly owners: Set<object>;
}

interface KeyedRow {
  readonly key: Key;
  readonly row: Row;
}

export interface RowRules {
  readonly getKey: (row: Row) => Key;
  readonly parse: (row: Row) => Row;
}

export class SyncedRows {
  readonly #rows = new Map<Key, KnownRow>();
  readonly #actions: SyncActions;
  readonly #rules: RowRules;

  constructor(actions: SyncActions, rules: RowRules) {
    this.#actions = actions;
    this.#rules = rules;
  }

  /** These are all rows of a read. */
  replace(owner: object, sent: readonly Row[]): Receipt {
    const rows = sent.map((row) => this.#read(row));
    return this.#commit(() => {
      const keys = new Set(rows.map((row) => this.#put(owner, row)));
      for (const key of this.#rows.keys()) if (!keys.has(key)) this.#remove(owner, key);
    });
  }

  apply(owner: object, change: Change<Row>): Receipt {
    const gone = change.delete.map((row) => this.#rules.parse(row));
    const rows = change.upsert.map((row) => this.#read(row));
    return this.#commit(() => {
      for (const row of gone) {
        const key = this.#findKey(row);
        if (key !== undefined) this.#remove(owner, key);
      }
      for (const row of rows) this.#put(owner, row);
    });
  }

  /** The read has ended: what no other read contains leaves the collection. */
  drop(owner: object): void {
    void this.replace(owner, []);
  }

  #commit(write: () => void): Receipt {
    this.#actions.begin();
    write();
    return this.#actions.commit();
  }

  /** Converts a row before a transaction of the collection begins: an exception would leave it open. */
  #read(sent: Row): KeyedRow {
    const row = this.#rules.parse(sent);
    return { key: this.#rules.getKey(row), row };
  }

  #put(owner: object, { key, row }: KeyedRow): Key {
    const known = this.#rows.get(key);
    const owners = known?.owners ?? new Set();
    owners.add(owner);
    if (known !== undefined && deepEquals(known.row, row)) return key;
    this.#rows.set(key, { row, owners });
    this.#actions.write({ type: known === undefined ? 'insert' : 'update', value: row });
    return key;
  }

  #remove(owner: object, key: Key): void {
    const known = this.#rows.get(key);
    if (known === undefined || !known.owners.delete(owner) || known.owners.size > 0) return;
    this.#rows.delete(key);
    this.#actions.write({ type: 'delete', value: known.row });
  }

  /** @param gone the columns of the primary key, which `getKey` may not use */
  #findKey(gone: Row): Key | undefined {
    const [example] = this.#rows.values();
    if (example === undefined) return undefined;
    const columns = readKeyColumns(this.#rules.getKey, example.row);
    if (columns.every((column) => column in gone)) return this.#rules.getKey(gone);
    const isGone = ({ row }: KnownRow): boolean =>
      Object.entries(gone).every(([column, value]) => deepEquals(row[column], value));
    return [...this.#rows].find(([, known]) => isGone(known))?.[0];
  }
}

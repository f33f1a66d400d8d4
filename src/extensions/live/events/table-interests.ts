// Groups that read rows of one table by the value of a column: finds those that a change of the table concerns.
import type { RelationChanges, RowChange } from '../log/log-changes.ts';
import type { LiveEquality } from '../plan/plan-live.ts';
import { SetMap } from './set-map.ts';
import { findKeys } from './concerns.ts';

export class TableInterests<G> {
  readonly #key: readonly string[];
  readonly #members: Set<G> = new Set();
  /** Members that all changes concern for now. */
  readonly #open: Set<G> = new Set();
  readonly #byKey: SetMap<string, G> = new SetMap();
  /** By column, then by value. */
  readonly #byColumn: Map<string, SetMap<string, G>> = new Map();

  /** @param key names of the columns of the primary key */
  constructor(key: readonly string[]) {
    this.#key = key;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  add(member: G, { column, value }: LiveEquality): void {
    this.#members.add(member);
    const byValue = this.#byColumn.get(column) ?? new SetMap();
    this.#byColumn.set(column, byValue);
    byValue.add(value, member);
  }

  delete(member: G, { column, value }: LiveEquality): void {
    this.#members.delete(member);
    this.#open.delete(member);
    const byValue = this.#byColumn.get(column);
    byValue?.delete(value, member);
    if (byValue?.isEmpty === true) this.#byColumn.delete(column);
  }

  addKey(member: G, key: string): void {
    this.#byKey.add(key, member);
  }

  deleteKey(member: G, key: string): void {
    this.#byKey.delete(key, member);
  }

  setOpen(member: G, isOpen: boolean): void {
    if (isOpen) this.#open.add(member);
    else this.#open.delete(member);
  }

  *find(changes: RelationChanges): Iterable<G> {
    yield* this.#open;
    if (changes === 'all') yield* this.#members;
    else for (const change of changes) yield* this.#findByRow(change);
  }

  *#findByRow(change: RowChange): Iterable<G> {
    const keys = findKeys(change, this.#key);
    if (keys === undefined) return yield* this.#members;
    for (const key of keys) yield* this.#byKey.get(key) ?? [];
    const { columns, after } = change;
    if (after === undefined) return;
    for (const [column, byValue] of this.#byColumn) {
      const index = columns.indexOf(column);
      const value = index < 0 ? undefined : after[index];
      if (value === undefined) for (const members of byValue.values()) yield* members;
      else if (value !== null) yield* byValue.get(value) ?? [];
    }
  }
}

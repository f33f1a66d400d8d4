// Mutations → one request: a write, or a batch in one transaction.
import type { Collection } from '@tanstack/db';
import { quote, quoteName, renderValue } from './grammar.ts';
import { readKeyColumns } from './key-columns.ts';
import { type Source, sourceOf } from './source.ts';
import { appendParameters } from './subset.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- rows of any type
type Row = any;

/** What is used of a `PendingMutation`. */
export interface Mutation {
  readonly type: 'insert' | 'update' | 'delete';
  readonly original: Row;
  readonly modified: Row;
  readonly changes: Row;
  // oxlint-disable-next-line typescript/no-explicit-any -- collections of any type
  readonly collection: Collection<any, any, any, any, any>;
}

export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly prefer: string | undefined;
  readonly body: unknown;
}

/** Mutations that follow one another are one write if a single statement can do them. */
export function toWrites(mutations: readonly Mutation[]): readonly Write[] {
  const groups: [Mutation, ...Mutation[]][] = [];
  for (const mutation of mutations) {
    if (mutation.type === 'update' && Object.keys(mutation.changes).length === 0) continue;
    const last = groups.at(-1);
    if (last !== undefined && last.length < MAX_ROWS && canJoin(last[0], mutation)) last.push(mutation);
    else groups.push([mutation]);
  }
  return groups.map(toWrite);
}

/** Deletions name their keys in the URL. */
const MAX_ROWS = 100;

function canJoin(first: Mutation, next: Mutation): boolean {
  if (first.type !== next.type || first.collection !== next.collection) return false;
  if (first.type !== 'insert') return true;
  const columns = Object.keys(first.modified);
  return columns.length === Object.keys(next.modified).length && columns.every((column) => column in next.modified);
}

function toWrite(group: readonly [Mutation, ...Mutation[]]): Write {
  const [{ type, collection }] = group;
  const source = sourceOf(collection);
  const path = source.relation;
  switch (type) {
    case 'insert': {
      const rows = group.map(({ modified }) => serializeRow(modified, source));
      return { method: 'POST', path, prefer: undefined, body: rows.length === 1 ? rows[0] : rows };
    }
    case 'update': {
      const rows = group.map(({ original, changes }) =>
        serializeRow({ ...keyOf(original, source), ...changes }, source),
      );
      const columns = Object.keys(keyOf(group[0].original, source)).map(quoteName).join(',');
      // A row that is gone, or that a policy hides, is an error.
      const prefer = 'unmatched=fail';
      return { method: 'PATCH', path: appendParameters(path, [['match', columns]]), prefer, body: rows };
    }
    case 'delete':
      return {
        method: 'DELETE',
        path: appendParameters(path, [toKeyFilter(group, source)]),
        prefer: undefined,
        body: undefined,
      };
  }
}

function toKeyFilter(group: readonly Mutation[], source: Source): readonly [string, string] {
  const conditions = group.map(({ original }) =>
    Object.entries(keyOf(original, source)).map(([column, value]) => {
      const text = renderValue(source.serialize(column, value));
      if (text === undefined) throw new TypeError(`${column} of the key is no text, number, date or boolean`);
      return `${quoteName(column)}.eq.${quote(text)}`;
    }),
  );
  return ['or', `(${conditions.map((row) => (row.length === 1 ? row[0] : `and(${row.join(',')})`)).join(',')})`];
}

function keyOf(row: Row, { getKey }: Source): Row {
  const columns = readKeyColumns(getKey, row);
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}

/** Without the columns that TanStack DB adds to rows of queries. */
function serializeRow(row: Row, { serialize }: Source): Row {
  const entries = Object.entries(row).filter(([column]) => !column.startsWith('$'));
  return Object.fromEntries(entries.map(([column, value]) => [column, serialize(column, value)]));
}

/** Big integers are sent as text, which PostgreSQL casts. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

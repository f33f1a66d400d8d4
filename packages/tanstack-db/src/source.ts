// What a collection knows about the server. It travels with the utilities of the collection, so that a transaction over
// several collections finds it.
import type { Collection } from '@tanstack/db';
import type { Live } from '@rowhouse/live';
import type { Key } from './key-columns.ts';
import type { Serialize } from './predicate.ts';

export interface Source {
  readonly live: Live;
  /** `/todos`, without parameters. */
  readonly relation: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of any type
  readonly getKey: (row: any) => Key;
  readonly serialize: Serialize;
  readonly positionTimeout: number;
}

export const SOURCE: unique symbol = Symbol('source of a collection');

export function sourceOf(collection: Pick<Collection, 'id' | 'utils'>): Source {
  const { [SOURCE]: source } = collection.utils as { readonly [SOURCE]?: Source };
  if (source === undefined) throw new TypeError(`The collection ${collection.id} has no rowhouseCollectionOptions`);
  return source;
}

// Writes that the user collects to send them as one batch. They last as long as the page: bodies may be confidential.
import { type ReadonlySignal, signal } from '@preact/signals';
import type { OutgoingRequest } from '../client/exchange.ts';

export interface BasketEntry {
  readonly id: number;
  /** All requests of a batch use one schema; undefined for the default schema of the server. */
  readonly schema: string | undefined;
  readonly request: OutgoingRequest;
}

const entries = signal<readonly BasketEntry[]>([]);
let lastId = 0;

export const basket: ReadonlySignal<readonly BasketEntry[]> = entries;

export function collect(request: OutgoingRequest, schema: string | undefined): void {
  lastId += 1;
  entries.value = [...entries.value, { id: lastId, schema, request }];
}

export function discard(removed: readonly BasketEntry[]): void {
  entries.value = entries.value.filter((entry) => !removed.includes(entry));
}

/** Exchanges the entry with the one before it in the same schema. */
export function moveUp(entry: BasketEntry): void {
  const list = [...entries.value];
  const index = list.indexOf(entry);
  const before = list.findLastIndex(({ schema }, position) => position < index && schema === entry.schema);
  const other = list[before];
  if (index < 0 || other === undefined) return;
  list[before] = entry;
  list[index] = other;
  entries.value = list;
}

// Reads the current values of rows before they are changed together.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { findElements, type JsonElements } from '../rows/json-elements.ts';
import type { JsonObject } from '../rows/json-value.ts';
import type { RowKey } from '../rows/row-links.ts';
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';
import { keyOfStored } from './finish-write.ts';
import { isUrlTooLong, readRowsRequest } from './row-requests.ts';

export type StoredRows =
  | { readonly kind: 'reading' | 'tooMany' | 'failed' }
  | { readonly kind: 'read'; readonly rows: readonly JsonObject[]; readonly keys: readonly RowKey[] };

export function useStoredRows(store: Store, relation: DescribedRelation, keys: readonly RowKey[]): StoredRows {
  const stored = useAnswer(
    async (signal): Promise<StoredRows> => {
      const request = readRowsRequest(relation, keys);
      if (isUrlTooLong(request)) return { kind: 'tooMany' };
      const read = await store.send(request, signal);
      const isRead = read.kind === 'answered' && read.response.status < 300;
      const elements = isRead ? findElements(read.response.text) : undefined;
      return elements === undefined ? { kind: 'failed' } : collectRows(store, relation, elements);
    },
    [store, relation, keys],
  );
  return stored ?? { kind: 'reading' };
}

/** A row without a key cannot be changed by one, so it is left out like one that no longer exists. */
function collectRows(store: Store, relation: DescribedRelation, elements: JsonElements): StoredRows {
  const rows = Array.from({ length: elements.count }, (_, index) => elements.at(index)).flatMap((row) => {
    const key = row.kind === 'object' ? keyOfStored(store, relation, row) : undefined;
    return row.kind === 'object' && key !== undefined ? [{ row, key }] : [];
  });
  return { kind: 'read', rows: rows.map(({ row }) => row), keys: rows.map(({ key }) => key) };
}

/** Returns why the rows cannot be changed now. */
export function reasonOfStored(stored: StoredRows): string | undefined {
  switch (stored.kind) {
    case 'reading':
      return 'Reading the rows…';
    case 'tooMany':
      return 'Too many rows for one request. Select fewer.';
    case 'failed':
      return 'The rows could not be read.';
    case 'read':
      return stored.rows.length === 0 ? 'The rows no longer exist.' : undefined;
  }
}

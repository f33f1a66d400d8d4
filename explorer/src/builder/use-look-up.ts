// A search text → the rows that it finds, after a pause; the key of a row → its text. What is no longer asked for is dropped.
import { useEffect, useState } from 'preact/hooks';
import type { Store } from '../store/store.ts';
import { type LookUp, lookUpRequest, type LookUpRow, readLookUp, rowRequest } from './look-up.ts';

const PAUSE_MS = 200;

export interface Found {
  readonly rows: readonly LookUpRow[];
  /** Why there are none. */
  readonly note: string | undefined;
}

const NOTHING: Found = { rows: [], note: undefined };

/** @param search undefined: nothing is to be looked up */
export function useLookUp(store: Store, lookUp: LookUp, search: string | undefined): Found {
  const [found, setFound] = useState(NOTHING);
  const { relation } = lookUp;
  useEffect(() => {
    setFound(search === undefined ? NOTHING : { rows: [], note: 'Searching …' });
    if (search === undefined) return;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      const rows = readLookUp(lookUp, await store.send(lookUpRequest(lookUp, search), abort.signal));
      if (!abort.signal.aborted) setFound({ rows: rows ?? [], note: describeRows(relation, rows) });
    };
    const timer = setTimeout(() => void ask(), search === '' ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [store, relation, search]);
  return found;
}

function describeRows(relation: string, rows: readonly LookUpRow[] | undefined): string | undefined {
  if (rows === undefined) return `${relation} cannot be read. Type the value itself.`;
  return rows.length === 0 ? 'No row has this text.' : undefined;
}

/** undefined until it is known, and where the row has no text. */
export function useRowLabel(store: Store, lookUp: LookUp, key: string): string | undefined {
  const [label, setLabel] = useState<string | undefined>(undefined);
  const { relation, texts } = lookUp;
  useEffect(() => {
    setLabel(undefined);
    if (key === '' || texts.length === 0) return;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      const rows = readLookUp(lookUp, await store.send(rowRequest(lookUp, key), abort.signal));
      if (!abort.signal.aborted) setLabel(rows?.find(({ value }) => value === key)?.label || undefined);
    };
    void ask();
    return () => abort.abort();
  }, [store, relation, key]);
  return label;
}

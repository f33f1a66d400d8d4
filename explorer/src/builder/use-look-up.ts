// Hooks that search rows by text, after a pause, and find the label of a row by its key. Outdated responses are
// dropped.
import { useEffect, useState } from 'preact/hooks';
import type { Store } from '../store/store.ts';
import { type LookUp, lookUpRequest, type LookUpRow, readLookUp, rowRequest } from './look-up.ts';

const PAUSE_MS = 200;

export interface Found {
  readonly rows: readonly LookUpRow[];
  /** Why there are no rows. */
  readonly note: string | undefined;
}

const NOTHING: Found = { rows: [], note: undefined };

/** @param search undefined to search nothing */
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
  if (rows === undefined) return `${relation} cannot be read. Enter the value itself.`;
  return rows.length === 0 ? 'No matching rows.' : undefined;
}

/** Returns undefined until the label is known, and if the row has none. */
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

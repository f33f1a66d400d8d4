// Hooks that search rows by text, after a pause, and find the labels of rows by their keys. Outdated responses are
// dropped.
import { useEffect, useState } from 'preact/hooks';
import type { Store } from '../store/store.ts';
import { type LookUp, lookUpRequest, type LookUpRow, readLookUp, rowRequest, rowsRequest } from './look-up.ts';

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
  return rows.length === 0 ? 'No matching row.' : undefined;
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

/** Returns the names of the rows with these keys, as they become known. */
export function useRowNames(
  store: Store,
  lookUp: LookUp | undefined,
  keys: readonly string[],
): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    setNames(new Map());
    if (lookUp === undefined || lookUp.texts.length === 0 || keys.length === 0) return undefined;
    const abort = new AbortController();
    void readRowNames(store, lookUp, { keys, signal: abort.signal }).then((read) => {
      if (!abort.signal.aborted) setNames(read);
    });
    return () => abort.abort();
  }, [store, lookUp?.relation, keys.join('\n')]);
  return names;
}

interface Wanted {
  readonly keys: readonly string[];
  readonly signal: AbortSignal;
}

/** Returns the names by key, as many as can be read. */
export async function readRowNames(
  store: Store,
  lookUp: LookUp,
  { keys, signal }: Wanted,
): Promise<ReadonlyMap<string, string>> {
  const found = readLookUp(lookUp, await store.send(rowsRequest(lookUp, keys), signal)) ?? [];
  return new Map(found.filter(({ label }) => label !== '').map(({ value, label }) => [value, label]));
}

// Hooks that search rows by text, after a pause, and find the labels of rows by their keys. Outdated responses are
// dropped.
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';
import { type LookUp, lookUpRequest, type LookUpRow, readLookUp, rowRequest, rowsRequest } from './look-up.ts';

const PAUSE_MS = 200;

export interface Found {
  readonly rows: readonly LookUpRow[];
  /** Why there are no rows. */
  readonly note: string | undefined;
}

const NOTHING: Found = { rows: [], note: undefined };
const SEARCHING: Found = { rows: [], note: 'Searching …' };
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** @param search undefined to search nothing */
export function useLookUp(store: Store, lookUp: LookUp, search: string | undefined): Found {
  const { relation } = lookUp;
  const ask = async (text: string, signal: AbortSignal): Promise<Found> => {
    if (text !== '') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const rows = signal.aborted ? undefined : readLookUp(lookUp, await store.send(lookUpRequest(lookUp, text), signal));
    return { rows: rows ?? [], note: describeRows(relation, rows) };
  };
  const found = useAnswer(search === undefined ? undefined : (signal) => ask(search, signal), [
    store,
    relation,
    search,
  ]);
  return found ?? (search === undefined ? NOTHING : SEARCHING);
}

function describeRows(relation: string, rows: readonly LookUpRow[] | undefined): string | undefined {
  if (rows === undefined) return `${relation} cannot be read. Enter the value itself.`;
  return rows.length === 0 ? 'No matching row.' : undefined;
}

/** Returns undefined until the label is known, and if the row has none. */
export function useRowLabel(store: Store, lookUp: LookUp, key: string): string | undefined {
  const { relation, texts } = lookUp;
  const ask = async (signal: AbortSignal): Promise<string | undefined> => {
    const rows = readLookUp(lookUp, await store.send(rowRequest(lookUp, key), signal));
    return rows?.find(({ value }) => value === key)?.label || undefined;
  };
  return useAnswer(key === '' || texts.length === 0 ? undefined : ask, [store, relation, key]);
}

/** Returns the names of the rows with these keys, as they become known. */
export function useRowNames(
  store: Store,
  lookUp: LookUp | undefined,
  keys: readonly string[],
): ReadonlyMap<string, string> {
  const isAsked = lookUp !== undefined && lookUp.texts.length > 0 && keys.length > 0;
  const ask = isAsked ? (signal: AbortSignal) => readRowNames(store, lookUp, { keys, signal }) : undefined;
  return useAnswer(ask, [store, lookUp?.relation, keys.join('\n')]) ?? NO_NAMES;
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

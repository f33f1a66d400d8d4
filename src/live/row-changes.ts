// Splits what the database returns into keys and rows, and renders the texts of keys.

/** A row as JSON on one line. */
export interface KeyedRow {
  /** As `renderKey` renders it. */
  readonly key: string;
  readonly row: Uint8Array;
}

export interface RowsDifference {
  readonly upserted: readonly Uint8Array[];
  /** Texts of the keys. */
  readonly deleted: readonly string[];
}

const LINE_FEED = 10;
const DECODER = new TextDecoder();

/** @param line as `renderLiveRows` describes it */
export function splitLine(line: Uint8Array): KeyedRow {
  const at = line.indexOf(LINE_FEED);
  const key: unknown = JSON.parse(DECODER.decode(line.subarray(0, at)));
  return { key: JSON.stringify(key), row: line.subarray(at + 1) };
}

export function isEmpty({ upserted, deleted }: RowsDifference): boolean {
  return upserted.length === 0 && deleted.length === 0;
}

/** The text of a key: a JSON array of the texts of its values. */
export function renderKey(values: readonly string[]): string {
  return JSON.stringify(values);
}

export function parseKey(key: string): readonly string[] {
  const values: unknown = JSON.parse(key);
  return Array.isArray(values) ? values.map(String) : [];
}

// Splits the lines that the database returns into keys and rows, and renders keys as text.

export interface RowsDifference {
  /** Rows as JSON on one line. */
  readonly upserted: readonly Uint8Array[];
  /** Texts of the keys. */
  readonly deleted: readonly string[];
}

const LINE_FEED = 10;
const DECODER = new TextDecoder();

/** @param line as `renderLiveRows` describes it */
export function readKey(line: Uint8Array): string {
  const key: unknown = JSON.parse(DECODER.decode(line.subarray(0, line.indexOf(LINE_FEED))));
  return JSON.stringify(key);
}

/** @param line as `renderLiveRows` describes it */
export function readRow(line: Uint8Array): Uint8Array {
  return line.subarray(line.indexOf(LINE_FEED) + 1);
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

// The events of a watched read. Rows are texts, because `JSON.parse` would round large numbers.
import { findElements } from '../rows/json-elements.ts';

export type RowsEvent =
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  | {
      readonly kind: 'change';
      readonly upsert: readonly string[];
      /** Objects of the key columns. */
      readonly delete: readonly string[];
    };

/** @param json an array */
export function rowTextsOf(json: string): readonly string[] {
  const elements = findElements(json);
  return Array.from({ length: elements?.count ?? 0 }, (_, index) => elements?.textAt(index).trim() ?? '');
}

/** Parses the data of an event, an object. The elements of its arrays stay text. */
export function parseEventData(json: string): Readonly<Record<string, unknown>> {
  const members = rowTextsOf(`[${json.trim().slice(1, -1)}]`).map((member): readonly [string, unknown] => {
    const colon = member.indexOf(':');
    const value = member.slice(colon + 1).trim();
    return [JSON.parse(member.slice(0, colon)), value.startsWith('[') ? rowTextsOf(value) : JSON.parse(value)];
  });
  return Object.fromEntries(members);
}

/** Returns undefined if the event of a stream contains no rows. */
export function rowsEventOf({ name, data }: { readonly name: string; readonly data: string }): RowsEvent | undefined {
  if (name === 'rows') return { kind: 'rows', rows: rowTextsOf(data) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the protocol of the server
  return name === 'change' ? ({ ...parseEventData(data), kind: 'change' } as RowsEvent) : undefined;
}

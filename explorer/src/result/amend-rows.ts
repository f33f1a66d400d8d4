// Changes rows of a response after a write, so that the others need not be read again.
import type { ReceivedResponse } from '../client/exchange.ts';
import { findElements } from '../rows/json-elements.ts';

export interface AmendedRows {
  /** JSON text by index. */
  readonly replaced: ReadonlyMap<number, string>;
  /** JSON texts of rows to add at the top. */
  readonly inserted: readonly string[];
}

/** @param response its body is an array */
export function amendRows(response: ReceivedResponse, { replaced, inserted }: AmendedRows): ReceivedResponse {
  const elements = findElements(response.text);
  if (elements === undefined) return response;
  const texts = Array.from({ length: elements.count }, (_, index) => replaced.get(index) ?? elements.textAt(index));
  const text = `[${[...inserted, ...texts].join(',')}]`;
  const insertedRows = (response.insertedRows ?? 0) + inserted.length;
  return {
    ...response,
    text,
    content: new Blob([text], { type: response.content.type }),
    insertedRows,
    marks: new Map(Array.from({ length: insertedRows }, (_, index) => [index, 'new'])),
  };
}

// Reads the description of a schema in slices: that of a thousand tables has megabytes.
import type { SchemaDocument } from '../../../contract/schema-document.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACKET,
  scanColon,
  scanString,
} from '../../../request/payload/json-scanner.ts';
import { enterContainer, readValue, scanAny, skipComma } from '../../../request/payload/json-text.ts';
import { isJsonObject } from '../../../util/json-object.ts';
import type { Slices } from '../../../util/slices.ts';

/**
 * @param bytes a JSON object that the server itself has written
 * @returns undefined if the object is no description
 */
export function* parseDescription(bytes: Uint8Array): Slices<SchemaDocument | undefined> {
  const members: Record<string, unknown> = {};
  for (let at = enterContainer(bytes, 0); bytes[at] !== CLOSE_BRACE;) {
    const nameEnd = scanString(bytes, at);
    const name = String(readValue(bytes, { start: at, end: nameEnd }));
    const start = scanColon(bytes, nameEnd);
    const member = yield* readMember(bytes, start);
    members[name] = member.value;
    at = skipComma(bytes, member.end);
  }
  return isDescription(members) ? members : undefined;
}

/** The server itself writes the document, so two members identify it. */
export function isDescription(body: unknown): body is SchemaDocument {
  return isJsonObject(body) && Array.isArray(body['relations']) && Array.isArray(body['functions']);
}

const ITEMS_PER_SLICE = 8;

/** Reads the items of a list one by one. */
function* readMember(bytes: Uint8Array, start: number): Slices<{ readonly value: unknown; readonly end: number }> {
  if (bytes[start] !== OPEN_BRACKET) {
    const end = yield* scanAny(bytes, start);
    return { value: readValue(bytes, { start, end }), end };
  }
  const items: unknown[] = [];
  let at = enterContainer(bytes, start);
  while (bytes[at] !== CLOSE_BRACKET) {
    const end = yield* scanAny(bytes, at);
    items.push(readValue(bytes, { start: at, end }));
    at = skipComma(bytes, end);
    if (items.length % ITEMS_PER_SLICE === 0) yield;
  }
  return { value: items, end: at + 1 };
}

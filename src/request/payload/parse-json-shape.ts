// Finds the keys of the objects in a JSON body, in one pass that validates the text and keeps none of it
// (`writing.md` §3.2). The bytes themselves are passed to the database.
import type { Slices } from '../../util/slices.ts';
import type { KeyRule } from './element-keys.ts';
import { ElementScanner } from './element-scanner.ts';
import {
  BYTES_PER_SLICE,
  CLOSE_BRACKET,
  COMMA,
  isNestedDeeper,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanLongValue,
  skipWhitespace,
} from './json-scanner.ts';
import { INVALID } from '../../util/utf8.ts';

/**
 * `tooDeep` takes precedence over `invalid`. `mixed`: not all elements are objects whose keys fit.
 */
export type JsonShape =
  | { readonly kind: 'keyed'; readonly isArray: boolean; readonly keys: readonly string[] }
  | { readonly kind: 'scalar' }
  | { readonly kind: 'mixed' }
  | { readonly kind: 'tooDeep' }
  | { readonly kind: 'longName' }
  | { readonly kind: 'invalid' };

/**
 * Keys are distinct and in code-point order, up to `MAX_NAMES`.
 *
 * @param rule which keys the elements may have; undefined: the same
 */
export function* parseJsonShape(bytes: Uint8Array, maxDepth: number, rule?: KeyRule): Slices<JsonShape> {
  const start = skipWhitespace(bytes, 0);
  const isArray = bytes[start] === OPEN_BRACKET;
  const isKeyed = isArray || bytes[start] === OPEN_BRACE;
  const elements = new ElementScanner(isArray ? maxDepth - 1 : maxDepth, rule);
  let end: number;
  if (!isKeyed) end = yield* scanLongValue(bytes, start, maxDepth);
  else end = isArray ? yield* scanElements(bytes, start, elements) : yield* elements.scan(bytes, start);
  if (elements.hasLongName) return { kind: 'longName' };
  if (end === INVALID || skipWhitespace(bytes, end) !== bytes.length) {
    const isTooDeep = yield* isNestedDeeper(bytes, maxDepth);
    return { kind: isTooDeep ? 'tooDeep' : 'invalid' };
  }
  if (!isKeyed) return { kind: 'scalar' };
  return elements.isUniform ? { kind: 'keyed', isArray, keys: elements.keys } : { kind: 'mixed' };
}

function* scanElements(bytes: Uint8Array, start: number, elements: ElementScanner): Slices<number> {
  let sliceEnd = start + BYTES_PER_SLICE;
  let pos = skipWhitespace(bytes, start + 1);
  if (bytes[pos] === CLOSE_BRACKET) return pos + 1;
  for (;;) {
    const end = elements.scanKnownOrder(bytes, pos);
    pos = end === INVALID ? yield* elements.scan(bytes, pos) : end;
    if (pos === INVALID) return INVALID;
    if (pos >= sliceEnd) {
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
    pos = skipWhitespace(bytes, pos);
    if (bytes[pos] === CLOSE_BRACKET) return pos + 1;
    if (bytes[pos] !== COMMA) return INVALID;
    pos = skipWhitespace(bytes, pos + 1);
  }
}

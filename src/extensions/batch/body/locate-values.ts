// Finds the values in a response that the pointers of a batch name, in one pass over its JSON text.
import {
  BYTES_PER_SLICE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isOpening,
  OPEN_BRACE,
  scanColon,
  scanString,
  skipWhitespace,
} from '../../../request/payload/json-scanner.ts';
import { readValue, scanAny } from '../../../request/payload/json-text.ts';
import type { Slices } from '../../../util/slices.ts';
import type { PointerNode, PointerTree } from './pointer-tree.ts';

/** The values that pointers name in one response. */
export class LocatedValues {
  readonly #text: Uint8Array;
  readonly #tree: PointerTree;
  readonly #visits: ReadonlyMap<PointerNode, Visit>;

  constructor(text: Uint8Array, tree: PointerTree, visits: ReadonlyMap<PointerNode, Visit>) {
    this.#text = text;
    this.#tree = tree;
    this.#visits = visits;
  }

  /** @returns undefined if the pointer leads nowhere. Of several members with one name, the last counts. */
  find(pointer: string): Uint8Array | undefined {
    let node = this.#tree.find(pointer);
    const found = node && this.#visits.get(node);
    let visit = found;
    // A value within an earlier member of the same name is not part of the document.
    for (; visit?.container !== undefined; visit = visit.container) {
      node = node?.parent;
      if (node === undefined || this.#visits.get(node) !== visit.container) return undefined;
    }
    return found && this.#text.subarray(found.start, found.end);
  }
}

/** A value that a pointer names, or leads through. */
interface Visit {
  readonly container: Visit | undefined;
  readonly start: number;
  end: number;
}

/** A container that pointers lead into. */
interface Frame {
  readonly visit: Visit;
  readonly children: ReadonlyMap<string, PointerNode>;
  readonly isObject: boolean;
  /** Index of the current element. */
  index: number;
}

/** @param text valid JSON */
export function* locateValues(text: Uint8Array, tree: PointerTree): Slices<LocatedValues> {
  const visits = new Map<PointerNode, Visit>();
  const open: Frame[] = [];
  let sliceEnd = BYTES_PER_SLICE;
  let place: Place = { at: skipWhitespace(text, 0), node: tree.root };
  do {
    const { at, node } = place;
    const visit = node && { container: open.at(-1)?.visit, start: at, end: at };
    if (node !== undefined && visit !== undefined) visits.set(node, visit);
    if (visit !== undefined && node?.children !== undefined && isOpening(text[at])) {
      open.push({ visit, children: node.children, isObject: text[at] === OPEN_BRACE, index: -1 });
      place = findNext(text, at + 1, open);
    } else {
      const end = yield* scanAny(text, at);
      if (visit !== undefined) visit.end = end;
      place = findNext(text, end, open);
    }
    if (place.at < sliceEnd) continue;
    yield;
    sliceEnd = place.at + BYTES_PER_SLICE;
  } while (open.length > 0);
  return new LocatedValues(text, tree, visits);
}

/** Where a value begins, and what pointers call it. */
interface Place {
  readonly at: number;
  readonly node: PointerNode | undefined;
}

/** Closes the containers that end at `from`, and goes to the next value. */
function findNext(text: Uint8Array, from: number, open: Frame[]): Place {
  let at = skipWhitespace(text, from);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const byte = text[at];
    if (byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET) {
      if (byte === COMMA) at = skipWhitespace(text, at + 1);
      return frame.isObject ? startMember(text, at, frame) : startElement(at, frame);
    }
    frame.visit.end = at + 1;
    open.pop();
    at = skipWhitespace(text, at + 1);
  }
  return { at, node: undefined };
}

function startMember(text: Uint8Array, at: number, { children }: Frame): Place {
  const end = scanString(text, at);
  return { at: scanColon(text, end), node: children.get(String(readValue(text, { start: at, end }))) };
}

function startElement(at: number, frame: Frame): Place {
  frame.index += 1;
  return { at, node: frame.children.get(String(frame.index)) };
}

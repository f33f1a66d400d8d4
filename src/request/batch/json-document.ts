// The response to a request of a batch as JSON text, in which pointers find values (RFC 6901). Remembers where the values
// of a container begin, because many references may lead into one.
import { OPEN_BRACE, OPEN_BRACKET, scanValue, skipWhitespace } from '../payload/json-scanner.ts';
import { listElements, listMembers, type Span } from '../payload/json-text.ts';

/** Where the values begin. */
type Children =
  | { readonly kind: 'elements'; readonly starts: readonly number[] }
  | { readonly kind: 'members'; readonly starts: ReadonlyMap<string, number> };

export class JsonDocument {
  readonly text: Uint8Array;
  /** By the position of their container. */
  readonly #children = new Map<number, Children>();

  /** @param text valid JSON */
  constructor(text: Uint8Array) {
    this.text = text;
  }

  /** @returns undefined if the pointer leads nowhere. Of several members of one name, the last counts. */
  find(pointer: string): Span | undefined {
    const tokens = parsePointer(pointer);
    let start: number | undefined = skipWhitespace(this.text, 0);
    for (const token of tokens ?? []) {
      start = start === undefined ? undefined : this.#findChild(start, token);
    }
    if (tokens === undefined || start === undefined) return undefined;
    return { start, end: scanValue(this.text, start, Number.POSITIVE_INFINITY) };
  }

  #findChild(start: number, token: string): number | undefined {
    const children = this.#children.get(start) ?? listChildren(this.text, start);
    this.#children.set(start, children);
    if (children.kind === 'members') return children.starts.get(token);
    return /^(?:0|[1-9]\d*)$/u.test(token) ? children.starts[Number(token)] : undefined;
  }
}

function listChildren(text: Uint8Array, start: number): Children {
  if (text[start] === OPEN_BRACE) {
    const members = [...listMembers(text, start)].map((member) => [member.name, member.start] as const);
    return { kind: 'members', starts: new Map(members) };
  }
  const elements = text[start] === OPEN_BRACKET ? [...listElements(text, start)] : [];
  return { kind: 'elements', starts: elements.map((element) => element.start) };
}

function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/u.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

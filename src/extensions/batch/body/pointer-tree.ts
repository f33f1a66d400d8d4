// The JSON pointers (RFC 6901) of a batch into one response, as a tree of their tokens, so that one pass over the response
// finds the values of all of them.

export interface PointerNode {
  readonly parent: PointerNode | undefined;
  /** By token; undefined: no pointer leads on from here. */
  readonly children: ReadonlyMap<string, PointerNode> | undefined;
}

interface GrowingNode extends PointerNode {
  children: Map<string, GrowingNode> | undefined;
}

/** Limits the tokens of all pointers of a batch, because each takes hundreds of bytes. */
export interface PointerRoom {
  left: number;
}

export const MAX_POINTER_TOKENS = 100_000;

export class PointerTree {
  readonly root: PointerNode;
  readonly #root: GrowingNode = { parent: undefined, children: undefined };
  readonly #room: PointerRoom;
  readonly #byPointer = new Map<string, PointerNode | undefined>();

  /** @param room shared by the trees of a batch */
  constructor(room: PointerRoom) {
    this.root = this.#root;
    this.#room = room;
  }

  /** @returns undefined if the pointer was not added, or is malformed */
  find(pointer: string): PointerNode | undefined {
    return this.#byPointer.get(pointer);
  }

  /** @returns whether there is room for the pointer */
  add(pointer: string): boolean {
    if (this.#byPointer.has(pointer)) return true;
    const tokens = parsePointer(pointer);
    if (tokens !== undefined && tokens.length > MAX_POINTER_TOKENS) return false;
    let node = this.#root;
    for (const token of tokens ?? []) {
      let child = node.children?.get(token);
      if (child === undefined) {
        if (this.#room.left === 0) return false;
        this.#room.left -= 1;
        child = { parent: node, children: undefined };
        (node.children ??= new Map()).set(token, child);
      }
      node = child;
    }
    this.#byPointer.set(pointer, tokens && node);
    return true;
  }
}

/** @returns undefined if the pointer is malformed; at most one token more than a batch may have */
function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/u.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/', MAX_POINTER_TOKENS + 1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

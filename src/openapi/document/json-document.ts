// Renders JSON from objects whose members are created only when they are written, in slices, so that a description of
// ten thousand tables is never held as one tree and never blocks the process.
import type { Slices } from '../../util/slices.ts';

/** A member whose value is undefined is omitted. */
export type Member = readonly [name: string, value: unknown];

/** Can be written only once if its members come from a generator. */
export class LazyObject {
  readonly members: Iterable<Member>;

  constructor(members: Iterable<Member>) {
    this.members = members;
  }
}

/** A list whose items are created only when they are written. Can be written only once. */
export class LazyList {
  readonly items: Iterable<unknown>;

  constructor(items: Iterable<unknown>) {
    this.items = items;
  }
}

const MEMBERS_PER_SLICE = 8;

/** Renders the document. Values other than `LazyObject` and `LazyList` are written by `JSON.stringify`. */
export function* renderJsonInSlices(document: LazyObject): Slices<Uint8Array> {
  const writer = new Utf8Writer();
  yield* writeObject(document, writer);
  return yield* joinChunks(writer.finish());
}

/** @param document JSON bytes of a non-empty object */
export function appendMember(document: Uint8Array, [name, value]: Member): Uint8Array {
  const member = new TextEncoder().encode(`,${JSON.stringify(name)}:${JSON.stringify(value)}}`);
  const end = document.length - 1;
  const bytes = new Uint8Array(end + member.length);
  bytes.set(document.subarray(0, end));
  bytes.set(member, end);
  return bytes;
}

function* joinChunks(chunks: readonly Uint8Array[]): Slices<Uint8Array> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
    yield;
  }
  return bytes;
}

function* writeObject({ members }: LazyObject, writer: Utf8Writer): Slices<undefined> {
  let count = 0;
  for (const [name, value] of members) {
    const text = value instanceof LazyObject || value instanceof LazyList ? '' : JSON.stringify(value);
    if (text === undefined) continue;
    writer.write(`${count === 0 ? '{' : ','}${JSON.stringify(name)}:${text}`);
    if (value instanceof LazyObject) yield* writeObject(value, writer);
    if (value instanceof LazyList) yield* writeList(value, writer);
    count += 1;
    if (count % MEMBERS_PER_SLICE === 0) yield;
  }
  writer.write(count === 0 ? '{}' : '}');
  return undefined;
}

function* writeList({ items }: LazyList, writer: Utf8Writer): Slices<undefined> {
  let count = 0;
  for (const item of items) {
    writer.write(`${count === 0 ? '[' : ','}${JSON.stringify(item)}`);
    count += 1;
    if (count % MEMBERS_PER_SLICE === 0) yield;
  }
  writer.write(count === 0 ? '[]' : ']');
  return undefined;
}

const CHUNK_CHARACTERS = 65_536;

/** Collects text and returns it as UTF-8 bytes, without ever holding all of it as a string. */
class Utf8Writer {
  readonly #encoder = new TextEncoder();
  #chunks: Uint8Array[] = [];
  #pending = '';

  write(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= CHUNK_CHARACTERS) this.#flush();
  }

  /** Returns all bytes written since the last call, in chunks, so that callers can join them in slices. */
  finish(): readonly Uint8Array[] {
    this.#flush();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #flush(): void {
    this.#chunks.push(this.#encoder.encode(this.#pending));
    this.#pending = '';
  }
}

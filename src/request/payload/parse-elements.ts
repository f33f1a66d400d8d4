// Parses the body of a PATCH whose elements find their rows by the columns in `match` (`beyond.md` §2.3).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Pieces } from '../../contract/transaction.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, skipWhitespace } from './json-scanner.ts';
import { describeOperation, findOperation, listMembers, type Member, type PatchFormat } from './parse-patch.ts';
import { IN_JSON_STRING, PieceWriter } from './piece-writer.ts';
import { sortedNames } from '../../util/code-points.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { RequiredKeys } from './element-keys.ts';
import { parsePayload, type PayloadSettings } from './parse-payload.ts';
import {
  type ElementOperation,
  type Elements,
  type GivenOperation,
  type JsonPayload,
  MAX_NAMES,
  type Payload,
} from './payload.ts';

export interface ElementsRequest {
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  /** Undefined if the body contains plain values. */
  readonly format: PatchFormat | undefined;
  readonly match: readonly string[];
  /** The `columns` parameter. */
  readonly columns: readonly string[] | undefined;
}

/** Fails like `parsePayload`. */
export function* parseElements(
  { contentType, body, format, match, columns }: ElementsRequest,
  settings: PayloadSettings,
): Slices<Result<Payload, ApiError>> {
  const rule = new RequiredKeys(match);
  const type = format === undefined ? contentType : undefined;
  const payload = yield* parsePayload(
    { contentType: type, body, target: 'relation', columns: undefined, rule },
    settings,
  );
  if (!payload.ok || payload.value.kind !== 'json') return payload;
  const { value } = payload;
  if (value.source !== 'json' && !rule.accept(new Set(value.keys)))
    return fail({ kind: 'invalidBody', message: rule.fault });
  // A JSON scalar counts as an empty list.
  if (format === undefined || rule.keys.length === 0) return ok(chosen({ ...value, ...plain(rule) }, match, columns));
  const { bytes, keys, operations } = yield* new ElementRewriter(body, format, rule.keys).rewrite();
  const operated = match.find((name) => !keys.common.has(name));
  if (operated !== undefined)
    return fail({ kind: 'invalidBody', message: `The column '${operated}' is listed in match and takes plain values` });
  return ok(
    chosen({ ...value, bytes, keys: keys.keys, elements: { common: keys.common, operations } }, match, columns),
  );
}

function plain({ keys, common }: RequiredKeys): Pick<ListedPayload, 'keys' | 'elements'> {
  return { keys, elements: { common, operations: new Map() } };
}

type ListedPayload = JsonPayload & { readonly elements: Elements };

/** Keeps the keys that `columns` lists, and those that find the rows. */
function chosen(payload: ListedPayload, match: readonly string[], columns: readonly string[] | undefined): JsonPayload {
  if (columns === undefined) return payload;
  const { keys, elements } = payload;
  const listed = new Set([...columns, ...match]);
  const kept = keys.filter((key) => listed.has(elements.operations.get(key)?.column ?? key));
  return { ...payload, keys: sortedNames([...kept, ...columns]) };
}

const ENCODER = new TextEncoder();

interface RewrittenElements {
  readonly bytes: Pieces;
  readonly keys: RequiredKeys;
  readonly operations: ReadonlyMap<string, ElementOperation>;
}

/**
 * Puts the operand of each operation under its own key, one for each column and operation, because one element may add
 * to a column that another sets (`beyond.md` §2.3, §2.6).
 */
class ElementRewriter {
  readonly #body: Uint8Array;
  readonly #format: PatchFormat;
  readonly #writer: PieceWriter;
  readonly #keys = new RequiredKeys([]);
  /** By column and operation. */
  readonly #keyOf = new Map<string, string>();
  readonly #operations = new Map<string, ElementOperation>();
  readonly #names: ReadonlySet<string>;
  /** Number of the last key that was made. */
  #last = 0;

  /** @param names all keys of the body, an array of objects or one object */
  constructor(body: Uint8Array, format: PatchFormat, names: readonly string[]) {
    this.#body = body;
    this.#format = format;
    this.#writer = new PieceWriter(body.length, IN_JSON_STRING);
    this.#names = new Set(names);
  }

  *rewrite(): Slices<RewrittenElements> {
    const body = this.#body;
    const start = skipWhitespace(body, 0);
    const isArray = body[start] === OPEN_BRACKET;
    if (isArray) this.#writer.writeByte(OPEN_BRACKET);
    let pos = isArray ? skipWhitespace(body, start + 1) : start;
    for (let isFirst = true; body[pos] === OPEN_BRACE; isFirst = false) {
      // So many operations always include one of an unknown column: the rest of the body does not matter.
      if (this.#keyOf.size > MAX_NAMES) break;
      if (!isFirst) this.#writer.writeByte(COMMA);
      const end = yield* this.#rewriteElement(pos);
      yield;
      pos = skipWhitespace(body, end);
      if (body[pos] === COMMA) pos = skipWhitespace(body, pos + 1);
    }
    if (isArray) this.#writer.writeByte(CLOSE_BRACKET);
    return { bytes: this.#writer.finish(), keys: this.#keys, operations: this.#operations };
  }

  /** @returns the end of the element */
  *#rewriteElement(start: number): Slices<number> {
    const members = yield* listMembers(this.#body, start);
    // More members than `MAX_NAMES` always include an unknown column, so the rest of the body does not matter.
    const end =
      members.length > MAX_NAMES ? this.#body.length : skipClosing(this.#body, members.at(-1)?.end ?? start + 1);
    // The last of several members with the same name wins, as in PostgreSQL.
    const byName = new Map(members.map((member) => [member.name, member]));
    const names = new Set<string>();
    let separator = OPEN_BRACE;
    for (const member of byName.values()) {
      const { key, value } = yield* this.#resolve(member);
      names.add(key);
      this.#writer.writeByte(separator);
      this.#writer.write(ENCODER.encode(`${JSON.stringify(key)}:`));
      this.#writer.write(this.#body.subarray(value.start, value.end));
      separator = COMMA;
    }
    if (separator === OPEN_BRACE) this.#writer.writeByte(OPEN_BRACE);
    this.#writer.writeByte(CLOSE_BRACE);
    this.#keys.accept(names);
    return end;
  }

  *#resolve(member: Member): Slices<{ readonly key: string; readonly value: Member }> {
    const found = yield* findOperation(this.#body, member, this.#format);
    if (found === undefined) return { key: member.name, value: member };
    if (found.name === '$set') return { key: member.name, value: found };
    const id = JSON.stringify([member.name, found.name]);
    const key = this.#keyOf.get(id) ?? this.#makeKey();
    this.#keyOf.set(id, key);
    const given = yield* describeOperation(this.#body, found, this.#format === 'merge');
    const known = this.#operations.get(key);
    const operand = known === undefined ? given.operand : commonOperand(known.operand, given.operand);
    const depth = Math.max(given.depth, known?.depth ?? 0);
    this.#operations.set(key, { ...given, operand, depth, column: member.name });
    return { key, value: found };
  }

  /** Makes a key that the body does not contain. */
  #makeKey(): string {
    do this.#last += 1;
    while (this.#names.has(`$${this.#last}`));
    return `$${this.#last}`;
  }
}

/** Null is reported even if only one element has it. */
function commonOperand(known: GivenOperation['operand'], given: GivenOperation['operand']): GivenOperation['operand'] {
  if (known === given) return given;
  return known === 'null' || given === 'null' ? 'null' : 'other';
}

function skipClosing(bytes: Uint8Array, start: number): number {
  const pos = skipWhitespace(bytes, start);
  return bytes[pos] === CLOSE_BRACE ? pos + 1 : pos;
}

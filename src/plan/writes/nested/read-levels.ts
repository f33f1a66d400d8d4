// Reads the rows of a body and sorts their members into columns and related rows, without building values
// (`beyond.md` §2.2).
import type { Relation } from '../../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { isOpening, OPEN_BRACE, OPEN_BRACKET } from '../../../request/payload/json-scanner.ts';
import { listElements, listMembers, type Member, readText, type Span } from '../../../request/payload/json-text.ts';
import { findLink, type LinkContext, type LinkedRelation } from './find-link.ts';
import type { ChildLevel, NestedLevel } from './level.ts';

export interface BodyContext extends LinkContext {
  readonly text: Uint8Array;
  readonly maxDepth: number;
  /** Returns the columns that the request lists for a level; other keys of its rows are then ignored. */
  readonly columnsOf: (path: readonly string[]) => readonly string[] | undefined;
}

export interface RowPlace {
  readonly pointer: string;
  /** Index of the row that contains it in the level above. */
  readonly parent: number;
}

type Done = Result<undefined, ApiError>;
const DONE: Done = ok(undefined);
const NULL = 0x6e;

export class LevelReader {
  readonly #context: BodyContext;

  constructor(context: BodyContext) {
    this.#context = context;
  }

  /** Adds the rows of an array to the level. */
  readRows(level: NestedLevel, span: Span, { pointer, parent }: RowPlace): Done {
    const { text } = this.#context;
    let keys: string | undefined;
    let index = 0;
    for (const element of listElements(text, span.start)) {
      const place = { pointer: `${pointer}/${index}`, parent };
      const read = this.readRow(level, element, place);
      if (!read.ok) return read;
      const own = this.#keysOf(level);
      if (keys !== undefined && keys !== own)
        return fail({ kind: 'invalidBody', message: 'All object keys must match' });
      keys = own;
      index += 1;
    }
    return DONE;
  }

  readRow(level: NestedLevel, span: Span, { pointer, parent }: RowPlace): Done {
    const { text } = this.#context;
    if (text[span.start] !== OPEN_BRACE) return fail(nestedRow(pointer, 'A row is an object'));
    const members = new Map<string, string>();
    const row = level.rows.push({ pointer, parent, members }) - 1;
    // Of several members with the same name the last one counts, as in PostgreSQL.
    const last = new Map<string, Member>();
    for (const member of listMembers(text, span.start)) last.set(member.name, member);
    for (const member of last.values()) {
      if (this.#isColumn(level, member))
        members.set(member.name, `${JSON.stringify(member.name)}:${readText(text, member)}`);
      else {
        const read = this.#readRelated(level, member, {
          pointer: `${pointer}/${escapePointer(member.name)}`,
          parent: row,
        });
        if (!read.ok) return read;
      }
    }
    return DONE;
  }

  /** An unknown scalar counts as a column, whose absence is reported where columns are planned. */
  #isColumn(level: NestedLevel, { name, start }: Member): boolean {
    if (level.relation.columns.has(name)) return true;
    return !isOpening(this.#context.text[start]) && !this.#find(level, name).ok;
  }

  #readRelated(level: NestedLevel, member: Member, place: RowPlace): Done {
    const { text } = this.#context;
    const { name, start } = member;
    const found = this.#find(level, name);
    if (!found.ok) return fail(nestedRow(place.pointer, found.error));
    const { isArray } = found.value.link;
    if (text[start] === NULL) return DONE;
    if (text[start] !== (isArray ? OPEN_BRACKET : OPEN_BRACE))
      return fail(nestedRow(place.pointer, isArray ? 'Related rows are an array' : 'The related row is an object'));
    const child = this.#enter(level, name, found.value);
    if (!child.ok) return child;
    return isArray ? this.readRows(child.value, member, place) : this.readRow(child.value, member, place);
  }

  #find({ relation, children }: NestedLevel, name: string): ReturnType<typeof findLink> {
    const known = children.get(name);
    return known === undefined ? findLink(relation, name, this.#context) : ok(known);
  }

  #enter(level: NestedLevel, name: string, { link, relation }: LinkedRelation): Result<ChildLevel, ApiError> {
    const path = [...level.path, name];
    const { maxDepth } = this.#context;
    if (path.length > maxDepth)
      return fail({
        kind: 'limitExceeded',
        limit: `related rows of a body nest up to ${maxDepth} levels deep`,
        option: 'nested-max-depth',
        status: 400,
      });
    const child = level.children.get(name) ?? { relation, path, link, rows: [], children: new Map() };
    level.children.set(name, child);
    return ok(child);
  }

  /** The columns of the last row of the level, which must be those of the other rows of its array. */
  #keysOf(level: NestedLevel): string {
    if (this.#context.columnsOf(level.path) !== undefined) return '';
    return JSON.stringify([...(level.rows.at(-1)?.members.keys() ?? [])].toSorted());
  }
}

export function nestedRow(pointer: string, reason: string): ApiError {
  return { kind: 'nestedRow', pointer, reason };
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function topLevel(relation: Relation): NestedLevel {
  return { relation, path: [], link: undefined, rows: [], children: new Map() };
}

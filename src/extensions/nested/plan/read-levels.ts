// Reads the rows of a body and sorts their members into columns and related rows, without building values
// (`beyond.md` §2.2).
import type { Relation } from '../../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  isOpening,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanColon,
  scanLongValue,
  scanShortValue,
  UNFINISHED,
} from '../../../request/payload/json-scanner.ts';
import { enterContainer, readName, skipComma, type Span } from '../../../request/payload/json-text.ts';
import { NAME_TOO_LONG } from '../../../request/payload/payload-errors.ts';
import { SliceMeter, type Slices } from '../../../util/slices.ts';
import type { PlanContext } from '../../../plan/actions/plan-context.ts';
import { columnNotFound } from '../../../plan/writes/plan-payload.ts';
import { findLink, type LinkContext } from './find-link.ts';
import {
  type ChildLevel,
  escapePointer,
  type LinkedRelation,
  type NestedLevel,
  pointerTo,
  ShapeBudget,
} from './level.ts';
import { NestedRows, type RowPlace, type RowShape } from './nested-rows.ts';

export interface BodyContext extends LinkContext {
  readonly text: Uint8Array;
  readonly maxDepth: number;
  readonly maxRows: number;
  readonly planContext: PlanContext;
  /** Returns the columns that the request lists for a level; other keys of its rows are then ignored. */
  readonly columnsOf: (path: readonly string[]) => readonly string[] | undefined;
}

/** Of several members with the same name the last one counts, as in PostgreSQL. */
export interface RowMembers {
  readonly columns: ReadonlyMap<string, Span>;
  /** The values of relationship keys. */
  readonly related: ReadonlyMap<string, Span>;
  /** Where the object ends. */
  readonly end: number;
}

export interface MemberPlace extends RowPlace {
  /**
   * Returns the error for a scalar under a key that is neither a column nor a relationship; undefined: it is ignored.
   * By default, only keys that the request does not list are.
   */
  readonly refuse?: (level: NestedLevel, name: string, place: RowPlace) => ApiError | undefined;
}

/** Units of work for each member and each row, besides their bytes. */
const MEMBER_UNITS = 512;
const ROW_UNITS = 1024;
const UNLIMITED = Number.POSITIVE_INFINITY;
const NULL = 0x6e;
const KEYS_DIFFER: ApiError = { kind: 'invalidBody', message: 'All object keys must match' };

export class LevelReader {
  readonly #context: BodyContext;
  readonly #meter = new SliceMeter();
  readonly #budget = new ShapeBudget();
  #rowCount = 0;
  #hasRelated: boolean;

  /** @param hasRelated whether the rows count as related from the first one on */
  constructor(context: BodyContext, hasRelated = false) {
    this.#context = context;
    this.#hasRelated = hasRelated;
  }

  /** Adds the rows of an array to the level. */
  *readRows(level: NestedLevel, start: number, parent: number): Slices<Result<undefined, ApiError>> {
    const { text, columnsOf } = this.#context;
    const isListed = columnsOf(level.path) !== undefined;
    let first: RowShape | undefined;
    let at = enterContainer(text, start);
    for (let index = 0; text[at] !== CLOSE_BRACKET; index += 1) {
      const place = { parent, index };
      const members = yield* this.readMembers(level, at, place);
      if (!members.ok) return members;
      const shape = yield* this.addRow(level, members.value, place);
      if (!shape.ok) return shape;
      if (!isListed && first !== undefined && shape.value !== first) return fail(KEYS_DIFFER);
      first = shape.value;
      at = skipComma(text, members.value.end);
    }
    return ok(undefined);
  }

  *readRow(level: NestedLevel, start: number, place: RowPlace): Slices<Result<RowShape, ApiError>> {
    const members = yield* this.readMembers(level, start, place);
    return members.ok ? yield* this.addRow(level, members.value, place) : members;
  }

  /** Reads the members of one row, which is not added yet. */
  *readMembers(level: NestedLevel, start: number, place: MemberPlace): Slices<Result<RowMembers, ApiError>> {
    const { text } = this.#context;
    if (text[start] !== OPEN_BRACE) return fail(nestedRow(pointerTo(level, place), 'A row is an object'));
    const columns = new Map<string, Span>();
    const related = new Map<string, Span>();
    // Reading ends at the first name that no relationship has: a map of all others would grow without a pause.
    let isKnown = true;
    let at = enterContainer(text, start);
    while (text[at] !== CLOSE_BRACE) {
      const name = readName(text, at);
      if (name === undefined) return fail(NAME_TOO_LONG);
      const value = scanColon(text, name.end);
      let end = scanShortValue(text, value, UNLIMITED);
      if (end === UNFINISHED) end = yield* scanLongValue(text, value, UNLIMITED);
      const kind = this.#kindOf(level, name.name, text[value]);
      if (kind === 'column') columns.set(name.name, { start: value, end });
      else if (kind === 'related') {
        if (isKnown) related.set(name.name, { start: value, end });
        isKnown = isKnown && this.find(level, name.name).ok;
      } else {
        const error = (place.refuse ?? this.#refuseUnknown)(level, name.name, place);
        if (error !== undefined) return fail(error);
      }
      at = skipComma(text, end);
      if (this.#meter.add(MEMBER_UNITS + end - name.end)) yield;
    }
    return ok({ columns, related, end: at + 1 });
  }

  *addRow(level: NestedLevel, { columns, related }: RowMembers, place: RowPlace): Slices<Result<RowShape, ApiError>> {
    const { rows } = level;
    const known = rows.shapes.length;
    const shape = rows.add(place, columns);
    this.#rowCount += 1;
    const error = this.#checkRows() ?? (rows.shapes.length > known ? this.#budget.add(columns.size) : undefined);
    if (error !== undefined) return fail(error);
    const row = rows.length - 1;
    if (this.#meter.add(ROW_UNITS)) yield;
    for (const [name, { start }] of related) {
      const read = yield* this.#readRelated(level, { name, start }, row);
      if (!read.ok) return read;
    }
    return ok(shape);
  }

  /** Finds the relationship that a key names. */
  find({ relation, known }: NestedLevel, name: string): Result<LinkedRelation, string> {
    const found = known.get(name);
    if (found !== undefined) return ok(found);
    const link = findLink(relation, name, this.#context);
    if (link.ok) known.set(name, link.value);
    return link;
  }

  readonly #refuseUnknown: Required<MemberPlace>['refuse'] = ({ path, relation, isList }, name, { index }) => {
    const { columnsOf, planContext } = this.#context;
    if (columnsOf(path) !== undefined) return undefined;
    // The rows before it in its array have no such key.
    return isList && index > 0 ? KEYS_DIFFER : columnNotFound(name, { relation, context: planContext });
  };

  #kindOf(level: NestedLevel, name: string, first: number | undefined): 'column' | 'related' | 'unknown' {
    if (level.relation.columns.has(name)) return 'column';
    return isOpening(first) || this.find(level, name).ok ? 'related' : 'unknown';
  }

  *#readRelated(
    level: NestedLevel,
    { name, start }: { readonly name: string; readonly start: number },
    row: number,
  ): Slices<Result<unknown, ApiError>> {
    const { text } = this.#context;
    const fault = (reason: string): Result<never, ApiError> =>
      fail(nestedRow(`${pointerTo(level, level.rows.placeOf(row))}/${escapePointer(name)}`, reason));
    const found = this.find(level, name);
    if (!found.ok) return fault(found.error);
    const { isArray } = found.value.link;
    if (text[start] === NULL) return ok(undefined);
    if (text[start] !== (isArray ? OPEN_BRACKET : OPEN_BRACE))
      return fault(isArray ? 'Related rows are an array' : 'The related row is an object');
    const child = this.#enter(level, name, found.value);
    if (!child.ok) return child;
    return isArray
      ? yield* this.readRows(child.value, start, row)
      : yield* this.readRow(child.value, start, { parent: row, index: 0 });
  }

  #enter(level: NestedLevel, name: string, linked: LinkedRelation): Result<ChildLevel, ApiError> {
    const known = level.children.get(name);
    if (known !== undefined) return ok(known);
    const { maxDepth, text } = this.#context;
    if (level.path.length >= maxDepth)
      return fail({
        kind: 'limitExceeded',
        limit: `related rows of a body nest up to ${maxDepth} levels deep`,
        option: 'nested-max-depth',
        status: 400,
      });
    this.#hasRelated = true;
    const error = this.#checkRows() ?? this.#budget.add(LEVEL_COLUMNS);
    if (error !== undefined) return fail(error);
    const child = { ...childLevel(linked, [...level.path, name], text), above: level };
    level.children.set(name, child);
    return ok(child);
  }

  /** A body without related rows may have any number. */
  #checkRows(): ApiError | undefined {
    const { maxRows } = this.#context;
    if (!this.#hasRelated || this.#rowCount <= maxRows) return undefined;
    const limit = `a body with related rows has up to ${maxRows} rows on all levels`;
    return { kind: 'limitExceeded', limit, option: 'nested-max-rows', status: 400 };
  }
}

/** A level counts like so many columns. */
const LEVEL_COLUMNS = 8;

export function nestedRow(pointer: string, reason: string): ApiError {
  return { kind: 'nestedRow', pointer, reason };
}

export function topLevel(relation: Relation, text: Uint8Array, isList: boolean): NestedLevel {
  const rows = new NestedRows(text);
  const own = { relation, path: [], link: undefined, above: undefined, pointer: '', isList, rows };
  return { ...own, children: new Map(), known: new Map() };
}

/** A level whose pointers begin at the root of the body. */
export function childLevel({ relation, link }: LinkedRelation, path: readonly string[], text: Uint8Array): ChildLevel {
  const pointer = `/${escapePointer(path.at(-1) ?? '')}`;
  const own = { relation, path, link, above: undefined, pointer, isList: link.isArray, rows: new NestedRows(text) };
  return { ...own, children: new Map(), known: new Map() };
}

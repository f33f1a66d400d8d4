// Reads the body of a nested PATCH: columns of the parent, and what to do with its related rows (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanColon,
  scanLongValue,
} from '../../../request/payload/json-scanner.ts';
import { enterContainer, readName, skipComma, type Span } from '../../../request/payload/json-text.ts';
import { NAME_TOO_LONG } from '../../../request/payload/payload-errors.ts';
import { SliceMeter, type Slices } from '../../../util/slices.ts';
import { columnNotFound } from '../../../plan/writes/plan-payload.ts';
import { type ChildLevel, escapePointer, inheritedColumns, type NestedLevel, pointerOf, pointerTo } from './level.ts';
import { NestedRows, type RowPlace } from './nested-rows.ts';
import { type BodyContext, childLevel, LevelReader, nestedRow, type RowMembers, topLevel } from './read-levels.ts';

export type KeyedCommand = 'disconnect' | 'delete' | 'update' | 'connect';

/** Rows that one command addresses by their keys. */
export interface KeyedRows {
  readonly command: KeyedCommand;
  readonly level: ChildLevel;
}

/** What a PATCH does with the rows of one relationship. */
export interface RelatedChange {
  readonly pointer: string;
  /** The level of the rows to create. */
  readonly level: ChildLevel;
  /** In the order of execution. */
  readonly keyed: readonly KeyedRows[];
  /** `others`: related rows that are not keyed are no longer related. `all`: none is. */
  readonly removed: 'none' | 'others' | 'all';
}

export interface PatchBody {
  /** Has one row, the parent. */
  readonly parent: NestedLevel;
  readonly changes: readonly RelatedChange[];
}

const COMMANDS = ['disconnect', 'delete', 'update', 'connect', 'create'] as const;
const NULL = 0x6e;
const ONLY: RowPlace = { parent: 0, index: 0 };
const UNLIMITED = Number.POSITIVE_INFINITY;

export class PatchReader {
  readonly #context: BodyContext;
  readonly #reader: LevelReader;
  readonly #meter = new SliceMeter();

  constructor(context: BodyContext) {
    this.#context = context;
    this.#reader = new LevelReader(context, true);
  }

  /** @param start of an object */
  *read(relation: Relation, start: number): Slices<Result<PatchBody, ApiError>> {
    const { text } = this.#context;
    const parent = topLevel(relation, text, false);
    const members = yield* this.#reader.readMembers(parent, start, ONLY);
    if (!members.ok) return members;
    const { columns, related } = members.value;
    const added = yield* this.#reader.addRow(parent, { columns, related: NO_SPANS, end: start }, ONLY);
    if (!added.ok) return added;
    const changes: RelatedChange[] = [];
    for (const [name, span] of related) {
      const change = yield* this.#readChange(parent, name, span);
      if (!change.ok) return change;
      if (change.value !== undefined) changes.push(change.value);
    }
    return ok({ parent, changes });
  }

  *#readChange(
    parent: NestedLevel,
    name: string,
    { start }: Span,
  ): Slices<Result<RelatedChange | undefined, ApiError>> {
    const { text } = this.#context;
    const pointer = `/${escapePointer(name)}`;
    const found = this.#reader.find(parent, name);
    if (!found.ok) return fail(nestedRow(pointer, found.error));
    const level = childLevel(found.value, [name], text);
    const isNull = text[start] === NULL;
    if (!isNull && text[start] !== OPEN_BRACE) return fail(nestedRow(pointer, 'Changes to related rows are an object'));
    if (!level.isList) return yield* this.#readOne(level, start);
    return isNull ? ok(undefined) : yield* this.#readCommands(level, start);
  }

  *#readOne(level: ChildLevel, start: number): Slices<Result<RelatedChange, ApiError>> {
    const { text } = this.#context;
    const change = { pointer: level.pointer, level, keyed: [], removed: 'none' } as const;
    if (text[start] === NULL) return ok({ ...change, removed: 'all' });
    const connect = yield* this.#findConnect(start);
    const command = connect === undefined ? 'update' : 'connect';
    const keyed = { command, level: rowsAt(level, connect === undefined ? '' : '/connect', text) } as const;
    const read = yield* this.#readKeyedRow(keyed, connect ?? start, ONLY);
    if (!read.ok) return read;
    return ok({ ...change, keyed: [keyed], removed: connect === undefined ? 'none' : 'others' });
  }

  /** Returns the start of the row to connect, if that is the only member. */
  *#findConnect(start: number): Slices<number | undefined> {
    const { text } = this.#context;
    const at = enterContainer(text, start);
    const name = text[at] === CLOSE_BRACE ? undefined : readName(text, at);
    if (name?.name !== 'connect') return undefined;
    const value = scanColon(text, name.end);
    if (text[value] !== OPEN_BRACE) return undefined;
    const end = yield* scanLongValue(text, value, UNLIMITED);
    return text[skipComma(text, end)] === CLOSE_BRACE ? value : undefined;
  }

  *#readCommands(level: ChildLevel, start: number): Slices<Result<RelatedChange, ApiError>> {
    const { text } = this.#context;
    const { pointer } = level;
    const given = yield* this.#listCommands(level, start);
    if (!given.ok) return given;
    for (const [name, at] of given.value) {
      const place = `${pointer}/${name}`;
      if (text[at] !== OPEN_BRACKET) return fail(nestedRow(place, 'A command has an array of rows'));
      if (name === 'set' && given.value.size > 1) return fail(nestedRow(place, 'set excludes other commands'));
    }
    const set = given.value.get('set');
    const created = rowsAt(level, set === undefined ? '/create' : '/set', text);
    const keyed: KeyedRows[] = [];
    for (const command of COMMANDS) {
      const at = given.value.get(command);
      if (at === undefined) continue;
      const target = command === 'create' ? undefined : { command, level: rowsAt(level, `/${command}`, text) };
      if (target !== undefined) keyed.push(target);
      const read = target === undefined ? this.#reader.readRows(created, at, 0) : this.#readKeyed(target, at);
      const done = yield* read;
      if (!done.ok) return done;
    }
    if (set !== undefined) {
      const updated = { command: 'update', level: rowsAt(level, '/set', text) } as const;
      keyed.push(updated);
      const done = yield* this.#readSet(updated, created, set);
      if (!done.ok) return done;
    }
    const repeated = yield* this.#findRepeated(created, keyed);
    if (repeated !== undefined) return fail(nestedRow(repeated, 'Another command has the same key'));
    return ok({ pointer, level: created, keyed, removed: set === undefined ? 'none' : 'others' });
  }

  /** Returns where the value of each command begins. */
  *#listCommands({ pointer }: ChildLevel, start: number): Slices<Result<ReadonlyMap<string, number>, ApiError>> {
    const { text } = this.#context;
    const given = new Map<string, number>();
    let at = enterContainer(text, start);
    while (text[at] !== CLOSE_BRACE) {
      const name = readName(text, at);
      if (name === undefined) return fail(NAME_TOO_LONG);
      if (name.name !== 'set' && !COMMANDS.some((command) => command === name.name)) {
        const reason = `The commands are ${COMMANDS.join(', ')} and set`;
        return fail(nestedRow(`${pointer}/${escapePointer(name.name)}`, reason));
      }
      const value = scanColon(text, name.end);
      given.set(name.name, value);
      const end = yield* scanLongValue(text, value, UNLIMITED);
      at = skipComma(text, end);
      if (this.#meter.add(end - name.end)) yield;
    }
    return ok(given);
  }

  *#readKeyed(keyed: KeyedRows, start: number): Slices<Result<undefined, ApiError>> {
    const { text } = this.#context;
    let at = enterContainer(text, start);
    for (let index = 0; text[at] !== CLOSE_BRACKET; index += 1) {
      const end = yield* this.#readKeyedRow(keyed, at, { parent: 0, index });
      if (!end.ok) return end;
      at = skipComma(text, end.value);
    }
    return ok(undefined);
  }

  /** Rows without a key are created. */
  *#readSet(updated: KeyedRows, created: ChildLevel, start: number): Slices<Result<undefined, ApiError>> {
    const { text } = this.#context;
    const key = keyOf(created);
    let at = enterContainer(text, start);
    for (let index = 0; text[at] !== CLOSE_BRACKET; index += 1) {
      const place = { parent: 0, index };
      const members = yield* this.#reader.readMembers(created, at, { ...place, refuse: this.#refuse });
      if (!members.ok) return members;
      const isKeyed = key.length > 0 && key.every((name) => members.value.columns.has(name));
      const added = isKeyed
        ? yield* this.#addKeyed(updated, members.value, { place, hasMore: false })
        : yield* this.#reader.addRow(created, members.value, place);
      if (!added.ok) return added;
      at = skipComma(text, members.value.end);
    }
    return ok(undefined);
  }

  /** @returns where the row ends */
  *#readKeyedRow(keyed: KeyedRows, start: number, place: RowPlace): Slices<Result<number, ApiError>> {
    const { command, level } = keyed;
    let hasMore = false;
    const members = yield* this.#reader.readMembers(level, start, {
      ...place,
      refuse: (_level, name) => {
        hasMore = true;
        return command === 'update' ? this.#refuse(level, name) : undefined;
      },
    });
    if (!members.ok) return members;
    const added = yield* this.#addKeyed(keyed, members.value, { place, hasMore });
    return added.ok ? ok(members.value.end) : added;
  }

  *#addKeyed(
    { command, level }: KeyedRows,
    { columns, related, end }: RowMembers,
    { place, hasMore }: { readonly place: RowPlace; readonly hasMore: boolean },
  ): Slices<Result<unknown, ApiError>> {
    const fault = (reason: string, name?: string): Result<never, ApiError> => {
      const member = name === undefined ? '' : `/${escapePointer(name)}`;
      return fail(nestedRow(`${pointerTo(level, place)}${member}`, reason));
    };
    for (const [name, { start }] of related) {
      const found = this.#reader.find(level, name);
      if (!found.ok) return fault(found.error, name);
      if (this.#context.text[start] !== NULL) return fault('Only rows that are created have related rows here', name);
    }
    const { primaryKey } = level.relation;
    const required = command === 'connect' ? primaryKey : keyOf(level);
    // The only row of a to-one relationship needs no key.
    if (
      (level.isList || command !== 'update') &&
      (primaryKey.length === 0 || !required.every((name) => columns.has(name)))
    )
      return fault('The row has no complete primary key');
    if (command !== 'update') {
      const known = new Set([...primaryKey, ...inheritedColumns(level)]);
      if (hasMore || [...columns.keys()].some((name) => !known.has(name)))
        return fault('The row has more members than its primary key');
    }
    return yield* this.#reader.addRow(level, { columns, related: NO_SPANS, end }, place);
  }

  readonly #refuse = ({ path, relation }: NestedLevel, name: string): ApiError | undefined => {
    const { columnsOf, planContext } = this.#context;
    return columnsOf(path) === undefined ? columnNotFound(name, { relation, context: planContext }) : undefined;
  };

  /** Returns the place of a row whose key another one has. */
  *#findRepeated(created: ChildLevel, keyed: readonly KeyedRows[]): Slices<string | undefined> {
    const key = keyOf(created);
    const known = new Set<string>();
    for (const level of [...keyed.map((each) => each.level), created]) {
      const { rows } = level;
      for (let row = 0; row < rows.length; row += 1) {
        const text = keyText(rows, row, key);
        if (text !== undefined && known.has(text)) return pointerOf(level, row);
        if (text !== undefined) known.add(text);
        if (this.#meter.add(1024 + (text?.length ?? 0))) yield;
      }
    }
    return undefined;
  }
}

const NO_SPANS: RowMembers['related'] = new Map();

function rowsAt(level: ChildLevel, suffix: string, text: Uint8Array): ChildLevel {
  return { ...level, pointer: `${level.pointer}${suffix}`, rows: new NestedRows(text), children: new Map() };
}

/** Returns the columns that identify a row among those of its parent. */
export function keyOf(level: ChildLevel): readonly string[] {
  const inherited = inheritedColumns(level);
  return level.relation.primaryKey.filter((name) => !inherited.includes(name));
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** No index of PostgreSQL contains a longer value. */
const MAX_KEY_BYTES = 1_048_576;

/**
 * Strings count without their quotes, since keys may be sent as numbers or strings.
 *
 * @returns undefined if the row has no complete key
 */
function keyText(rows: NestedRows, row: number, key: readonly string[]): string | undefined {
  const { names } = rows.shapeOf(row);
  const texts: string[] = [];
  for (const name of key) {
    const position = names.indexOf(name);
    const value = position === -1 ? undefined : rows.valueOf(row, position);
    if (value === undefined || value.length > MAX_KEY_BYTES) return undefined;
    const text = DECODER.decode(value);
    texts.push(text.startsWith('"') ? String(JSON.parse(text)) : text);
  }
  return texts.length > 1 ? JSON.stringify(texts) : texts[0];
}

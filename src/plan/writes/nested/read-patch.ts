// Reads the body of a nested PATCH: columns of the parent, and what to do with its related rows (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { isOpening, OPEN_BRACE, OPEN_BRACKET } from '../../../request/payload/json-scanner.ts';
import { listElements, listMembers, type Member, readText, type Span } from '../../../request/payload/json-text.ts';
import { findLink, type LinkedRelation } from './find-link.ts';
import { type ChildLevel, inheritedColumns, type NestedRow } from './level.ts';
import { type BodyContext, escapePointer, LevelReader, nestedRow, topLevel } from './read-levels.ts';

export type KeyedCommand = 'disconnect' | 'delete' | 'update' | 'connect';

/** A row that is addressed by its key. */
export interface KeyedRow {
  readonly command: KeyedCommand;
  readonly row: NestedRow;
}

/** What a PATCH does with the rows of one relationship. */
export interface RelatedChange {
  readonly pointer: string;
  /** The level of the rows to create. */
  readonly level: ChildLevel;
  /** In the order of execution. */
  readonly keyed: readonly KeyedRow[];
  /** `others`: related rows that are not keyed are no longer related. `all`: none is. */
  readonly removed: 'none' | 'others' | 'all';
}

export interface PatchBody {
  /** The columns of the parent. */
  readonly row: NestedRow;
  readonly changes: readonly RelatedChange[];
}

const COMMANDS = ['disconnect', 'delete', 'update', 'connect', 'create'] as const;
const NULL = 0x6e;

export class PatchReader {
  readonly #context: BodyContext;
  readonly #reader: LevelReader;

  constructor(context: BodyContext) {
    this.#context = context;
    this.#reader = new LevelReader(context);
  }

  /** @param span of an object */
  read(relation: Relation, { start }: Span): Result<PatchBody, ApiError> {
    const { text } = this.#context;
    const members = new Map<string, string>();
    const last = new Map<string, Member>();
    for (const member of listMembers(text, start)) last.set(member.name, member);
    const changes: RelatedChange[] = [];
    for (const member of last.values()) {
      const { name } = member;
      const found = relation.columns.has(name) ? undefined : findLink(relation, name, this.#context);
      if (found === undefined || (!found.ok && !isOpening(text[member.start])))
        members.set(name, `${JSON.stringify(name)}:${readText(text, member)}`);
      else {
        const pointer = `/${escapePointer(name)}`;
        if (!found.ok) return fail(nestedRow(pointer, found.error));
        const change = this.#readChange(found.value, member, pointer);
        if (!change.ok) return change;
        if (change.value !== undefined) changes.push(change.value);
      }
    }
    return ok({ row: { pointer: '', parent: 0, members }, changes });
  }

  #readChange(linked: LinkedRelation, member: Member, pointer: string): Result<RelatedChange | undefined, ApiError> {
    const { text } = this.#context;
    const level: ChildLevel = { ...topLevel(linked.relation), path: [member.name], link: linked.link };
    const isNull = text[member.start] === NULL;
    if (!isNull && text[member.start] !== OPEN_BRACE)
      return fail(nestedRow(pointer, 'Changes to related rows are an object'));
    if (!linked.link.isArray) return this.#readOne(level, member, pointer);
    if (isNull) return ok(undefined);
    return this.#readCommands(level, member, pointer);
  }

  #readOne(level: ChildLevel, member: Member, pointer: string): Result<RelatedChange, ApiError> {
    const { text } = this.#context;
    const change = { pointer, level, keyed: [], removed: 'none' } as const;
    if (text[member.start] === NULL) return ok({ ...change, removed: 'all' });
    const members = [...listMembers(text, member.start)];
    const [connect] = members;
    const isConnect = members.length === 1 && connect?.name === 'connect' && text[connect.start] === OPEN_BRACE;
    if (!isConnect) {
      const row = this.#readRow(level, member, { pointer });
      return row.ok ? ok({ ...change, keyed: [{ command: 'update', row: row.value }] }) : row;
    }
    const row = this.#readRow(level, connect, { pointer: `${pointer}/connect`, command: 'connect' });
    return row.ok ? ok({ ...change, keyed: [{ command: 'connect', row: row.value }], removed: 'others' }) : row;
  }

  #readCommands(level: ChildLevel, member: Member, pointer: string): Result<RelatedChange, ApiError> {
    const { text } = this.#context;
    const given = new Map([...listMembers(text, member.start)].map((each) => [each.name, each]));
    for (const [name, { start }] of given) {
      const place = `${pointer}/${escapePointer(name)}`;
      if (name !== 'set' && !COMMANDS.some((command) => command === name))
        return fail(nestedRow(place, `The commands are ${COMMANDS.join(', ')} and set`));
      if (text[start] !== OPEN_BRACKET) return fail(nestedRow(place, 'A command has an array of rows'));
      if (name === 'set' && given.size > 1) return fail(nestedRow(place, 'set excludes other commands'));
    }
    const keyed: KeyedRow[] = [];
    const set = given.get('set');
    const read =
      set === undefined
        ? this.#readEach(level, given, { pointer, keyed })
        : this.#readSet(level, set, { pointer, keyed });
    if (!read.ok) return read;
    const repeated = findRepeated(level, keyed);
    if (repeated !== undefined) return fail(nestedRow(repeated, 'Another command has the same key'));
    return ok({ pointer, level, keyed, removed: set === undefined ? 'none' : 'others' });
  }

  #readEach(level: ChildLevel, given: ReadonlyMap<string, Member>, { pointer, keyed }: CommandTarget): Done {
    for (const command of COMMANDS) {
      const member = given.get(command);
      if (member === undefined) continue;
      const place = `${pointer}/${command}`;
      const read =
        command === 'create'
          ? this.#reader.readRows(level, member, { pointer: place, parent: 0 })
          : this.#readKeyed(level, member, { command, pointer: place, keyed });
      if (!read.ok) return read;
    }
    return DONE;
  }

  #readKeyed(
    level: ChildLevel,
    member: Member,
    { command, pointer, keyed }: CommandTarget & { readonly command: KeyedCommand },
  ): Done {
    let index = 0;
    for (const span of listElements(this.#context.text, member.start)) {
      const row = this.#readRow(level, span, { pointer: `${pointer}/${index}`, command });
      if (!row.ok) return row;
      keyed.push({ command, row: row.value });
      index += 1;
    }
    return DONE;
  }

  /** Rows without a key are created. */
  #readSet(level: ChildLevel, member: Member, { pointer, keyed }: CommandTarget): Done {
    const key = keyOf(level);
    let index = 0;
    for (const span of listElements(this.#context.text, member.start)) {
      const place = `${pointer}/set/${index}`;
      const scratch = scratchOf(level);
      const read = this.#reader.readRow(scratch, span, { pointer: place, parent: 0 });
      if (!read.ok) return read;
      const [row] = scratch.rows;
      const isKeyed = key.length > 0 && key.every((name) => row?.members.has(name) === true);
      const added = isKeyed ? this.#readRow(level, span, { pointer: place, command: 'update' }) : undefined;
      if (added?.ok === false) return added;
      if (added !== undefined) keyed.push({ command: 'update', row: added.value });
      else {
        const created = this.#reader.readRow(level, span, { pointer: place, parent: 0 });
        if (!created.ok) return created;
      }
      index += 1;
    }
    return DONE;
  }

  #readRow(
    level: ChildLevel,
    span: Span,
    { pointer, command }: { readonly pointer: string; readonly command?: KeyedCommand },
  ): Result<NestedRow, ApiError> {
    const scratch = scratchOf(level);
    const read = this.#reader.readRow(scratch, span, { pointer, parent: 0 });
    if (!read.ok) return read;
    const [row] = scratch.rows;
    const [related] = scratch.children.keys();
    if (related !== undefined || row === undefined)
      return fail(
        nestedRow(`${pointer}/${escapePointer(related ?? '')}`, 'Only rows that are created have related rows here'),
      );
    if (command === undefined) return ok(row);
    const required = command === 'connect' ? level.relation.primaryKey : keyOf(level);
    if (level.relation.primaryKey.length === 0 || !required.every((name) => row.members.has(name)))
      return fail(nestedRow(pointer, 'The row has no complete primary key'));
    const known = new Set([...level.relation.primaryKey, ...inheritedColumns(level)]);
    const isOnlyKey = command === 'update' || [...row.members.keys()].every((name) => known.has(name));
    return isOnlyKey ? ok(row) : fail(nestedRow(pointer, 'The row has more members than its primary key'));
  }
}

type Done = Result<undefined, ApiError>;
const DONE: Done = ok(undefined);

interface CommandTarget {
  readonly pointer: string;
  readonly keyed: KeyedRow[];
}

function scratchOf(level: ChildLevel): ChildLevel {
  return { ...level, rows: [], children: new Map() };
}

/** Returns the columns that identify a row among those of its parent. */
export function keyOf(level: ChildLevel): readonly string[] {
  const inherited = inheritedColumns(level);
  return level.relation.primaryKey.filter((name) => !inherited.includes(name));
}

/** Returns the place of a row whose key another one has. */
function findRepeated(level: ChildLevel, keyed: readonly KeyedRow[]): string | undefined {
  const known = new Set<string>();
  const created = level.rows.filter(({ members }) => keyOf(level).every((name) => members.has(name)));
  for (const { pointer, members } of [...keyed.map(({ row }) => row), ...created]) {
    const key = JSON.stringify(keyOf(level).map((name) => valueOf(name, members)));
    if (known.has(key)) return pointer;
    known.add(key);
  }
  return undefined;
}

/** Returns a string without its quotes, since keys may be sent as numbers or strings, and else the text of the value. */
function valueOf(name: string, members: NestedRow['members']): string {
  const text = members.get(name)?.slice(JSON.stringify(name).length + 1) ?? '';
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

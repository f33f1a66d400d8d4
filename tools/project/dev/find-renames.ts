// Finds tables and columns that may have been renamed (`project.md` §2 item 6).
import { escapeIdentifier } from 'pg';
import { splitScript } from '../../console/split-script.ts';
import { skipQuoting } from '../../../src/util/skip-quoting.ts';
import { type ColumnId, isColumnId, isTableId, type ObjectId, quoteName, type TableId } from '../compare/object-id.ts';
import type { Plan, SchemaState } from '../compare/schema-delta.ts';
import type { SourceFile } from '../folder/read-project.ts';

/** A table, or a column if `table` is set. */
export interface Rename {
  readonly schema: string;
  /** The schema that a table is moved from, if that is another one. */
  readonly fromSchema?: string | undefined;
  /** Whether the schema must be created first. */
  readonly isSchemaNew?: boolean;
  readonly table: string | undefined;
  readonly from: string;
  readonly to: string;
}

type Fact = ReturnType<SchemaState['facts']['facts']>[number];

export function renderRename({ schema, fromSchema, isSchemaNew = false, table, from, to }: Rename): readonly string[] {
  const column = table === undefined ? '' : `column ${escapeIdentifier(from)} `;
  const rename = `alter table ${quoteName(schema, table ?? from)} rename ${column}to ${escapeIdentifier(to)}`;
  if (fromSchema === undefined) return [rename];
  const move = `alter table ${quoteName(fromSchema, table ?? from)} set schema ${escapeIdentifier(schema)}`;
  const create = isSchemaNew ? [`create schema ${escapeIdentifier(schema)}`] : [];
  return [...create, move, ...(from === to ? [] : [rename])];
}

/**
 * Finds what may be a rename: the only column of a table that disappears, and the only one of the same type that appears;
 * the only table of a schema that disappears, and the only one with the same columns that appears.
 */
export function findRenames({ deltas }: Pick<Plan, 'deltas'>, from: SchemaState, to: SchemaState): readonly Rename[] {
  const removed = deltas.flatMap((delta) => (delta.verb === 'remove' ? [delta.fact] : []));
  const added = deltas.flatMap((delta) => (delta.verb === 'add' ? [delta.fact] : []));
  return [...findTables(removed, added, from, to), ...findColumns(removed, added)];
}

function findTables(
  removed: readonly Fact[],
  added: readonly Fact[],
  from: SchemaState,
  to: SchemaState,
): readonly Rename[] {
  const [gone, come] = [removed.filter(isTable), added.filter(isTable)];
  return gone.flatMap(({ id: { schema, name } }) => {
    const shape = describeColumns(from, { kind: 'table', schema, name });
    const isAlike = ({ id }: { readonly id: TableId }, state: SchemaState): boolean =>
      id.schema === schema && describeColumns(state, id) === shape;
    const matches = come.filter((fact) => isAlike(fact, to));
    const rivals = gone.filter((fact) => isAlike(fact, from));
    const [match] = matches;
    if (match === undefined || matches.length > 1 || rivals.length > 1) return [];
    return [{ schema, table: undefined, from: name, to: match.id.name }];
  });
}

function describeColumns({ facts }: SchemaState, table: TableId): string {
  const columns = facts.childrenOf(table).filter(isColumn);
  return columns
    .map(({ id, payload }) => `${id.name} ${JSON.stringify(payload['type'])}`)
    .sort()
    .join(', ');
}

function findColumns(removed: readonly Fact[], added: readonly Fact[]): readonly Rename[] {
  const [gone, come] = [removed.filter(isColumn), added.filter(isColumn)];
  const isOfTable =
    ({ schema, table }: ColumnId) =>
    ({ id }: { readonly id: ColumnId }): boolean =>
      id.schema === schema && id.table === table;
  return gone.flatMap(({ id, payload }) => {
    const matches = come.filter(isOfTable(id)).filter((fact) => fact.payload['type'] === payload['type']);
    const [match] = matches;
    if (match === undefined || matches.length > 1 || gone.filter(isOfTable(id)).length > 1) return [];
    return [{ schema: id.schema, table: id.table, from: id.name, to: match.id.name }];
  });
}

function isTable(fact: Fact): fact is Fact & { readonly id: TableId } {
  return isTableId(fact.id);
}

function isColumn(fact: Fact): fact is Fact & { readonly id: ColumnId } {
  return isColumnId(fact.id);
}

/** A comment that answers the question in the file. */
export interface RenameComment {
  /** Undefined if the file leaves it to the search path. */
  readonly schema: string | undefined;
  readonly table: string;
  /** Undefined if the table itself was renamed. */
  readonly column: string | undefined;
  /** What precedes the name in the comment: the schema of a table. */
  readonly fromSchema: string | undefined;
  readonly from: string;
}

const NAME = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`;
const COMMENT = new RegExp(
  String.raw`^--\s*renamed\s+from\s+(?:(?<schema>${NAME})\s*\.\s*)?(?<name>${NAME})\s*,?\s*$`,
  'iu',
);
/** A comma that was meant to end the column. */
const COMMA_IN_COMMENT = /--\s*renamed\s+from\s+(?<name>[^,]+?)\s*,\s*$/iu;
/** Groups `schema`, if it is named, and `table`. */
export const CREATE_TABLE: RegExp = new RegExp(
  String.raw`^create\s+(?:(?:unlogged|temp|temporary|global|local)\s+)*table\s+(?:if\s+not\s+exists\s+)?(?:(?<schema>${NAME})\s*\.\s*)?(?<table>${NAME})`,
  'iu',
);
/** Tables without a schema are created in the first one. */
const SEARCH_PATH = new RegExp(
  String.raw`^set\s+(?:session\s+|local\s+)?search_path\s*(?:=|\bto\b)\s*(?<schema>${NAME})`,
  'iu',
);
const FIRST_NAME = new RegExp(String.raw`^\s*(?<name>${NAME})`, 'u');

/** Reads `-- renamed from NAME` at the end of the line of a column, or on the line before `create table`. */
export function readRenameComments(files: readonly Pick<SourceFile, 'text'>[]): readonly RenameComment[] {
  return files.filter(({ text }) => /renamed\s+from/iu.test(text)).flatMap(({ text }) => readComments(text));
}

/** Says what is wrong with a comma that is part of such a comment, and so separates nothing. */
export function describeCommaInComment(text: string): string | undefined {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => COMMA_IN_COMMENT.test(line));
  const name = COMMA_IN_COMMENT.exec(lines[index] ?? '')?.groups?.['name'];
  if (name === undefined) return undefined;
  return `In line ${index + 1}, the comma is part of the comment. Write it before: …, -- renamed from ${name}`;
}

function readComments(text: string): readonly RenameComment[] {
  let current: string | undefined;
  return splitScript(text).flatMap((part): RenameComment[] => {
    if (part.kind !== 'statement') return [];
    current = SEARCH_PATH.exec(part.text)?.groups?.['schema'] ?? current;
    const created = CREATE_TABLE.exec(part.text)?.groups;
    if (created === undefined) return [];
    const schema = created['schema'] ?? current;
    const table = { schema: schema && unquote(schema), table: unquote(created['table'] ?? '') };
    const before = text.slice(0, part.start).trimEnd().split('\n').at(-1) ?? '';
    const own = readName(before.trim());
    const columns = findLineComments(part.text).flatMap(({ start, comment }): RenameComment[] => {
      const [from, column] = [readName(comment), findColumnBefore(part.text, start)];
      return from === undefined || column === undefined ? [] : [{ ...table, column, ...from }];
    });
    return own === undefined ? columns : columns.concat({ ...table, column: undefined, ...own });
  });
}

function readName(comment: string): Pick<RenameComment, 'from' | 'fromSchema'> | undefined {
  const { schema, name } = COMMENT.exec(comment.trim())?.groups ?? {};
  return name === undefined ? undefined : { from: unquote(name), fromSchema: schema && unquote(schema) };
}

/** Returns the last column that begins before the position and in its line, or ends in it. */
function findColumnBefore(statement: string, end: number): string | undefined {
  const lineStart = statement.lastIndexOf('\n', end - 1) + 1;
  if (statement.slice(lineStart, end).trim() === '') return undefined;
  // The comma after a column precedes its comment.
  const last = statement.slice(0, end).trimEnd().replace(/,$/u, '').length;
  let [depth, start] = [0, 0];
  for (let at = 0; at < last;) {
    const character = statement.charAt(at);
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    const quoted = skipQuoting(statement, at);
    const isBeforeColumn = quoted?.kind === 'comment' && start > 0 && statement.slice(start, at).trim() === '';
    at = quoted?.end ?? at + 1;
    if (isBeforeColumn || (depth === 1 && (character === '(' || character === ','))) start = at;
  }
  const name = FIRST_NAME.exec(statement.slice(start, last))?.groups?.['name'];
  return start === 0 || name === undefined ? undefined : unquote(name);
}

/** Skips literals, which may contain what looks like a comment. */
function findLineComments(text: string): readonly { readonly start: number; readonly comment: string }[] {
  const found: { start: number; comment: string }[] = [];
  for (let at = 0; at < text.length;) {
    const isInWord = at > 0 && /[\p{L}\p{N}_]/u.test(text.charAt(at - 1));
    const quoted = isInWord && /[eE$]/u.test(text.charAt(at)) ? undefined : skipQuoting(text, at);
    if (quoted?.kind === 'comment' && text.startsWith('--', at))
      found.push({ start: at, comment: text.slice(at, quoted.end) });
    at = quoted?.end ?? at + 1;
  }
  return found;
}

/** Names without quotes are in lower case. */
export function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();
}

/** Renames that the files state and that are possible: the old name is there, and the new one is not. */
export function findStated(comments: readonly RenameComment[], from: SchemaState, to: SchemaState): readonly Rename[] {
  const tables = to.facts.facts().filter(isTable);
  const columns = to.facts.facts().filter(isColumn);
  return comments.flatMap(({ schema, table, column, fromSchema, from: old }) => {
    const rename =
      column === undefined
        ? tables
            .filter(({ id }) => id.name === table && (schema ?? id.schema) === id.schema)
            .map(({ id }) => ({
              schema: id.schema,
              fromSchema: fromSchema === id.schema ? undefined : fromSchema,
              isSchemaNew: !from.facts.has({ kind: 'schema', name: id.schema }),
              table: undefined,
              from: old,
              to: table,
            }))
        : columns
            .filter(({ id }) => id.table === table && id.name === column && (schema ?? id.schema) === id.schema)
            // A column cannot come from another table.
            .filter(() => (fromSchema ?? table) === table)
            .map(({ id }) => ({ schema: id.schema, table, from: old, to: column }));
    return rename.filter((found) => isPossible(found, from, to));
  });
}

function isPossible(rename: Rename, from: SchemaState, to: SchemaState): boolean {
  const { schema, fromSchema = schema, table, from: old, to: name } = rename;
  const idOf = (its: string, own: string): ObjectId =>
    table === undefined ? { kind: 'table', schema: its, name: own } : { kind: 'column', schema: its, table, name: own };
  const before = idOf(fromSchema, old);
  return from.facts.has(before) && !from.facts.has(idOf(schema, name)) && !to.facts.has(before);
}

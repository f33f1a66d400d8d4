// Completes names and keywords of SQL: relations and functions of the schema, and the columns of relations that the
// statement mentions.
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Completion } from '../complete/complete.ts';
import type { CompletionOption } from '../complete/offer.ts';
import { rankOptions } from '../complete/rank.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { nameOf, readSql, type SqlToken } from './sql-tokens.ts';
import { KEYWORDS, OFFERED_KEYWORDS } from './words.ts';

/** @returns undefined if there is nothing to suggest */
export function completeSql(text: string, offset: number, schema: SchemaIndex): Completion | undefined {
  const tokens = readSql(text).filter(({ kind }) => kind !== 'comment');
  const touched = tokens.find(({ from, to }) => from < offset && offset <= to);
  if (touched?.kind === 'string' || touched?.kind === 'number' || isInComment(text, offset)) return undefined;
  const current = nameOf(touched) === undefined ? undefined : touched;
  const { from, to } = current ?? { from: offset, to: offset };
  const typed = text.slice(from, offset).replace(/^"/u, '');
  const before = tokens.filter((token) => token.to <= from);
  const offered = offerAt({ before, statement: statementAt(tokens, offset), typed, schema });
  const options = rankOptions(offered, typed).filter(({ apply }) => apply !== text.slice(from, to));
  return options.length === 0 ? undefined : { from, to, options };
}

function isInComment(text: string, offset: number): boolean {
  return readSql(text).some(({ kind, from, to }) => kind === 'comment' && from < offset && offset <= to);
}

interface SqlSpot {
  /** The tokens before the name at the caret. */
  readonly before: readonly SqlToken[];
  /** The tokens of the statement around the caret. */
  readonly statement: readonly SqlToken[];
  readonly typed: string;
  readonly schema: SchemaIndex;
}

/** Words after which the name of a relation is due. */
const BEFORE_RELATIONS: ReadonlySet<string> = new Set(['from', 'join', 'into', 'update', 'table', 'only']);

function offerAt({ before, statement, typed, schema }: SqlSpot): readonly CompletionOption[] {
  const last = before.at(-1);
  const tables = findTables(statement, schema);
  if (last?.text === '.') return offerMembers(nameOf(before.at(-2)) ?? '', tables, schema);
  const relations = [...schema.relations.values()].map(toRelationOption);
  if (BEFORE_RELATIONS.has(nameOf(last) ?? '')) return [...relations, ...offerSchemas(schema)];
  // A list of all words at each blank would only be in the way.
  if (typed === '') return [];
  const functions = [...schema.functions.keys()].map(toFunctionOption);
  return [...tables.flatMap(toColumnOptions), ...relations, ...functions, ...KEYWORD_OPTIONS, ...offerSchemas(schema)];
}

/** After `name.`: the columns of that relation or alias, or the content of that schema. */
function offerMembers(
  qualifier: string,
  tables: readonly MentionedTable[],
  schema: SchemaIndex,
): readonly CompletionOption[] {
  const found = tables.filter(({ alias }) => alias === qualifier);
  if (found.length > 0) return found.flatMap(toColumnOptions);
  if (qualifier !== schema.document.schema) return [];
  return [
    ...[...schema.relations.values()].map(toRelationOption),
    ...[...schema.functions.keys()].map(toFunctionOption),
  ];
}

export interface MentionedTable {
  readonly relation: DescribedRelation;
  /** The name that qualifies its columns. */
  readonly alias: string;
}

/** Finds the relations of the schema that tokens mention, with the alias that follows: `houses as h`, `api.houses h`. */
export function findTables(tokens: readonly SqlToken[], schema: SchemaIndex): readonly MentionedTable[] {
  return tokens.flatMap((token, index): readonly MentionedTable[] => {
    const name = nameOf(token);
    const relation = name === undefined ? undefined : schema.relations.get(name);
    const isQualifier = tokens[index + 1]?.text === '.';
    if (relation === undefined || name === undefined || isQualifier) return [];
    const follows = nameOf(tokens[index + 1]) === 'as' ? tokens[index + 2] : tokens[index + 1];
    const alias = nameOf(follows);
    return [{ relation, alias: alias === undefined || KEYWORDS.has(alias) ? name : alias }];
  });
}

/** Returns the tokens between the semicolons around a position. */
function statementAt(tokens: readonly SqlToken[], offset: number): readonly SqlToken[] {
  const start = tokens.findLastIndex(({ text, to }) => text === ';' && to <= offset);
  const end = tokens.findIndex(({ text, from }) => text === ';' && from >= offset);
  return tokens.slice(start + 1, end < 0 ? undefined : end);
}

const KEYWORD_OPTIONS: readonly CompletionOption[] = OFFERED_KEYWORDS.map((word) => ({
  label: word,
  apply: word,
  detail: '',
  kind: 'keyword',
}));

function toRelationOption({ name, comment = '' }: DescribedRelation): CompletionOption {
  return { label: name, apply: spellIdentifier(name), detail: firstLine(comment), kind: 'relation' };
}

function toFunctionOption(name: string): CompletionOption {
  const spelled = spellIdentifier(name);
  return { label: name, apply: `${spelled}()`, caret: spelled.length + 1, detail: 'function', kind: 'function' };
}

function toColumnOptions({ relation: { name: table, columns } }: MentionedTable): readonly CompletionOption[] {
  return columns.map(({ name, type }) => ({
    label: name,
    apply: spellIdentifier(name),
    detail: `${type.name} · ${table}`,
    kind: 'column',
  }));
}

function offerSchemas({ document: { schemas } }: SchemaIndex): readonly CompletionOption[] {
  return schemas.map((name) => ({ label: name, apply: spellIdentifier(name), detail: 'schema', kind: 'keyword' }));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

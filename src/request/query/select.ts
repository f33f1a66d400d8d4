// Parses the `select` parameter: columns, aggregates, embeds and spreads (`reading.md` §3.2).
import { parseCall, parseCast } from './aggregate.ts';
import { attempt } from './combinators.ts';
import { parseField } from './field.ts';
import { parseName } from './names.ts';
import type { ColumnItem, EmbedItem, SelectItem } from './query-params.ts';
import type { Scanner } from './scanner.ts';

/** Embeds may contain themselves: `children:categories!parent_id{4}(name)`. */
export function parseRecursiveSelectList(scanner: Scanner): readonly SelectItem[] | undefined {
  scanner.mayRecurse = true;
  return parseSelectList(scanner);
}

export function parseSelectList(scanner: Scanner): readonly SelectItem[] | undefined {
  const items: SelectItem[] = [];
  const start = scanner.at;
  let item = parseSelectItem(scanner);
  if (item === undefined && scanner.at === start) return items;
  while (item !== undefined) {
    items.push(item);
    if (!scanner.count('selectItems')) return undefined;
    scanner.skipBlanks();
    if (!scanner.take(',')) return items;
    item = parseSelectItem(scanner);
  }
  return undefined;
}

/** Backtracks only over the head of an embed: once its parenthesis is open, its list is parsed exactly once. */
function parseSelectItem(scanner: Scanner): SelectItem | undefined {
  scanner.skipBlanks();
  const head = attempt(scanner, parseSpreadHead) ?? attempt(scanner, parseEmbedHead);
  return head === undefined ? parseColumnItem(scanner) : parseEmbedBody(scanner, head);
}

type EmbedModifiers = Pick<EmbedItem, 'hint' | 'join' | 'levels'>;

interface EmbedHead extends Pick<EmbedItem, 'kind' | 'target' | 'alias'> {
  readonly modifiers: EmbedModifiers;
}

function parseSpreadHead(scanner: Scanner): EmbedHead | undefined {
  if (!scanner.take('...')) return undefined;
  const target = parseName(scanner);
  const modifiers = target === undefined ? undefined : parseModifiers(scanner);
  if (target === undefined || modifiers === undefined) return undefined;
  return { kind: 'spread', target, alias: undefined, modifiers };
}

/** `count(` is reserved for the aggregate. */
function parseEmbedHead(scanner: Scanner): EmbedHead | undefined {
  const alias = attempt(scanner, parseAlias);
  const target = parseName(scanner);
  if (target === undefined || target === 'count') return undefined;
  const modifiers = parseModifiers(scanner);
  return modifiers && { kind: 'embed', target, alias, modifiers };
}

/** Parses at most two modifiers in any order, the number of levels, and the opening parenthesis. */
function parseModifiers(scanner: Scanner): EmbedModifiers | undefined {
  let hint: string | undefined;
  let join: EmbedItem['join'] | undefined;
  for (let count = 0; count < 2 && scanner.take('!'); count += 1) {
    const isQuoted = scanner.text[scanner.at] === '"';
    const name = parseName(scanner);
    if (name === undefined) return undefined;
    if (!isQuoted && (name === 'inner' || name === 'left')) join ??= name;
    else hint ??= name;
  }
  const levels = scanner.mayRecurse ? parseLevels(scanner) : 1;
  if (levels === undefined) return undefined;
  scanner.skipBlanks();
  return scanner.take('(') ? { hint, join: join ?? 'left', levels: levels === 1 ? undefined : levels } : undefined;
}

function parseEmbedBody(scanner: Scanner, head: EmbedHead): EmbedItem | undefined {
  const { kind, target, alias, modifiers } = head;
  if (!enterLevels(scanner, modifiers.levels ?? 1) || !scanner.count('embeds')) return undefined;
  const select = parseSelectList(scanner);
  const levels = modifiers.levels ?? 1;
  for (let level = 0; level < levels; level += 1) scanner.leave();
  scanner.copies /= levels;
  if (select === undefined || !scanner.take(')')) return undefined;
  return { kind, target, alias, ...modifiers, select };
}

function parseColumnItem(scanner: Scanner): SelectItem | undefined {
  const item = attempt(scanner, parseStar) ?? attempt(scanner, parseCountRows) ?? parseColumn(scanner);
  if (item === undefined) return undefined;
  return isItemEnd(scanner) ? item : undefined;
}

function isItemEnd(scanner: Scanner): boolean {
  scanner.skipBlanks();
  return scanner.isBefore(')') || scanner.isBefore(',') || scanner.isAtEnd();
}

function parseStar(scanner: Scanner): SelectItem | undefined {
  return scanner.take('*') && isItemEnd(scanner) ? { kind: 'all' } : undefined;
}

function parseCountRows(scanner: Scanner): SelectItem | undefined {
  const alias = attempt(scanner, parseAlias);
  return scanner.take('count()') ? { kind: 'countRows', alias, cast: attempt(scanner, parseCast) } : undefined;
}

/** A second cast without an aggregate has no effect, but clients may send it (`reading.md` §7.3). */
function parseColumn(scanner: Scanner): ColumnItem | undefined {
  const alias = attempt(scanner, parseAlias);
  const field = parseField(scanner);
  if (field === undefined) return undefined;
  const cast = attempt(scanner, parseCast);
  const aggregate = attempt(scanner, parseCall);
  const aggregateCast = attempt(scanner, parseCast);
  return {
    kind: 'column',
    field,
    alias,
    cast,
    aggregate: aggregate && { ...aggregate, cast: aggregateCast },
  };
}

function parseAlias(scanner: Scanner): string | undefined {
  const alias = parseName(scanner);
  return alias !== undefined && scanner.take(':') && scanner.isNotBefore(':') ? alias : undefined;
}

const WHOLE_NUMBER = /[1-9]\d*/uy;

/**
 * Parses and counts the levels of a recursive embed: `{4}` (`beyond.md` §1.11).
 *
 * @returns 1 if nothing is said about levels
 */
function parseLevels(scanner: Scanner): number | undefined {
  if (!scanner.take('{')) return 1;
  WHOLE_NUMBER.lastIndex = scanner.at;
  const digits = WHOLE_NUMBER.exec(scanner.text)?.[0];
  scanner.expect('number of levels');
  if (digits === undefined) return undefined;
  scanner.advanceTo(scanner.at + digits.length);
  return scanner.take('}') ? Number(digits) : undefined;
}

/** Opens the levels of an embed; its list then occurs once in each. Returns false beyond the limit. */
function enterLevels(scanner: Scanner, levels: number): boolean {
  for (let level = 0; level < levels; level += 1) if (!scanner.enter('embedDepth')) return false;
  scanner.copies *= levels;
  return true;
}

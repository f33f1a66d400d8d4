// Builds a tree of levels from the select list and assigns each addressed parameter to its level
// (`reading.md` §12.4-§12.6).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type {
  Addressed,
  Distinct,
  EmbedItem,
  Filter,
  HavingFilter,
  LimitOffset,
  LogicGroup,
  LogicNode,
  OrderTerm,
  QueryParams,
  Score,
  SelectItem,
} from '../../request/query/query-params.ts';

/** One level of the request, before relationships are resolved. */
export interface SelectLevel {
  readonly items: readonly SelectItem[];
  readonly embeds: readonly EmbedLevel[];
  readonly filters: readonly Filter[];
  readonly logic: readonly LogicGroup[];
  readonly having: readonly HavingFilter[];
  readonly order: readonly OrderTerm[];
  readonly range: LimitOffset | undefined;
  readonly distinct: Distinct | undefined;
  /** The computed column `score`. */
  readonly score: Score | undefined;
}

export interface EmbedLevel {
  readonly item: EmbedItem;
  readonly level: SelectLevel;
}

/** An aliased embed that was addressed by its target name. */
export interface LegacyName {
  readonly target: string;
  readonly alias: string;
}

export interface SelectTree {
  readonly root: SelectLevel;
  readonly legacyNames: readonly LegacyName[];
}

/** A level under construction. Parameters are added one by one, in the order in which their errors take precedence. */
interface Draft {
  readonly items: readonly SelectItem[];
  readonly embeds: readonly DraftEmbed[];
  /** By every name of the embed; the first of equal names wins. */
  readonly byName: ReadonlyMap<string, DraftEmbed>;
  readonly filters: Filter[];
  readonly logic: LogicGroup[];
  readonly having: HavingFilter[];
  readonly order: OrderTerm[];
  range: LimitOffset | undefined;
  distinct: Distinct | undefined;
  score: Score | undefined;
}

interface DraftEmbed {
  readonly item: EmbedItem;
  readonly level: Draft;
}

/** @param useTargetNames aliased embeds can also be addressed by their target name (`url-use-legacy-target-names`) */
export function resolveSelectTree(query: QueryParams, useTargetNames: boolean): Result<SelectTree, ApiError> {
  const root = draftLevel(query.select, useTargetNames);
  const legacyNames = new Map<string, LegacyName>();
  const place = <T>(list: readonly Addressed<T>[], put: (level: Draft, value: T) => ApiError | undefined | void) => {
    for (const { path, value } of list) {
      const level = findLevel(root, path, legacyNames);
      const error = level.ok ? put(level.value, value) : level.error;
      if (error !== undefined) return error;
    }
    return undefined;
  };
  const error =
    place(query.filters, (level, value) => void level.filters.push(value)) ??
    place(query.orders, (level, value) => void level.order.push(...value)) ??
    place(query.ranges, (level, value) => void (level.range = value)) ??
    place(query.logic, (level, value) => void level.logic.push(value)) ??
    place(query.distinct, (level, value) => void (level.distinct = value)) ??
    place(query.having, addHaving) ??
    place(query.scores, addScore);
  if (error !== undefined) return fail(error);
  return ok({ root, legacyNames: [...legacyNames.values()] });
}

function draftLevel(items: readonly SelectItem[], useTargetNames: boolean): Draft {
  const embeds: DraftEmbed[] = [];
  const byName = new Map<string, DraftEmbed>();
  for (const item of items) {
    if (item.kind !== 'embed' && item.kind !== 'spread') continue;
    const embed = { item, level: draftLevel(item.select, useTargetNames) };
    embeds.push(embed);
    for (const name of useTargetNames ? [nameOf(item), item.target] : [nameOf(item)])
      if (!byName.has(name)) byName.set(name, embed);
  }
  return {
    items,
    embeds,
    byName,
    filters: [],
    logic: [],
    having: [],
    order: [],
    range: undefined,
    distinct: undefined,
    score: undefined,
  };
}

/** In `orders.count()`, an embed of that name wins over a column. */
function addHaving(level: Draft, filter: HavingFilter): void {
  const { field, cast, call } = filter.term;
  const isCount = call.function === 'count' && call.isDistinct === undefined && cast === undefined;
  const embed = isCount && field?.path.length === 0 ? level.byName.get(field.column) : undefined;
  if (embed === undefined) level.having.push(filter);
  else embed.level.having.push({ ...filter, term: { ...filter.term, field: undefined } });
}

function addScore(level: Draft, score: Score): ApiError | undefined {
  if (level.score !== undefined) return { kind: 'notImplemented', feature: "Each level can have one 'score'." };
  level.score = score;
  return undefined;
}

function findLevel(
  root: Draft,
  path: readonly string[],
  legacyNames: Map<string, LegacyName>,
): Result<Draft, ApiError> {
  let level = root;
  for (const name of path) {
    const embed = level.byName.get(name);
    if (embed === undefined) return fail(notEmbedded(level, name));
    const { alias, target } = embed.item;
    if (alias !== undefined && alias !== name) legacyNames.set(JSON.stringify([target, alias]), { target, alias });
    level = embed.level;
  }
  return ok(level);
}

function notEmbedded(level: Draft, name: string): ApiError {
  const aliased = level.embeds.find(({ item }) => item.target === name);
  return { kind: 'notEmbedded', name, alias: aliased?.item.alias };
}

export function conditionsOf({ filters, logic, having }: SelectLevel): readonly LogicNode[] {
  return [...filters, ...logic, ...having];
}

/** The name of an embed within its level: its alias, otherwise its target. */
export function nameOf(item: EmbedItem): string {
  return item.alias ?? item.target;
}

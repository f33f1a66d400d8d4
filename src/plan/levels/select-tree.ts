// Builds a tree of levels from the select list and assigns each addressed parameter to its level
// (`reading.md` §12.4-§12.6).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type {
  Distinct,
  EmbedItem,
  Filter,
  HavingFilter,
  LimitOffset,
  LogicGroup,
  LogicNode,
  OrderTerm,
  QueryParams,
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
}

interface DraftEmbed {
  readonly item: EmbedItem;
  readonly level: Draft;
}

/** @param useTargetNames aliased embeds can also be addressed by their target name (`url-use-legacy-target-names`) */
export function resolveSelectTree(query: QueryParams, useTargetNames: boolean): Result<SelectTree, ApiError> {
  const root = draftLevel(query.select, useTargetNames);
  const legacyNames = new Map<string, LegacyName>();
  const find = (path: readonly string[]) => findLevel(root, path, legacyNames);

  for (const { path, value } of query.filters) {
    const level = find(path);
    if (!level.ok) return level;
    level.value.filters.push(value);
  }
  for (const { path, value } of query.orders) {
    const level = find(path);
    if (!level.ok) return level;
    level.value.order.push(...value);
  }
  for (const { path, value } of query.ranges) {
    const level = find(path);
    if (!level.ok) return level;
    level.value.range = value;
  }
  for (const { path, value } of query.logic) {
    const level = find(path);
    if (!level.ok) return level;
    level.value.logic.push(value);
  }
  for (const { path, value } of query.distinct) {
    const level = find(path);
    if (!level.ok) return level;
    level.value.distinct = value;
  }
  for (const { path, value } of query.having) {
    const level = find(path);
    if (!level.ok) return level;
    addHaving(level.value, value);
  }
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

/** Returns all conditions of a level. */
export function conditionsOf({ filters, logic, having }: SelectLevel): readonly LogicNode[] {
  return [...filters, ...logic, ...having];
}

/** The name of an embed within its level: its alias, otherwise its target. */
export function nameOf(item: EmbedItem): string {
  return item.alias ?? item.target;
}

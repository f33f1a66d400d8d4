// The levels of a model: the top and its embeds, addressed by path.
import type { Addressed, ColumnItem, EmbedItem, SelectItem } from '../../../src/request/query/query-params.ts';
import type { ModelParams, QueryModel } from './query-model.ts';

/** Names of embeds from the top down; `[]` is the top level. */
export type EmbedPath = readonly string[];

/** Returns the name that addresses an embed at its level. */
export function nameOfEmbed({ alias, target }: EmbedItem): string {
  return alias ?? target;
}

/** Returns the name in the response: the alias, the last path key, the column, or the function of an aggregate. */
export function nameOfColumn({ alias, field, aggregate }: ColumnItem): string {
  if (alias !== undefined) return alias;
  if (aggregate !== undefined) return aggregate.function;
  const key = field.path.findLast(({ operand }) => operand.kind === 'key')?.operand;
  return key?.kind === 'key' ? key.name : field.column;
}

export function isEmbed(item: SelectItem): item is EmbedItem {
  return item.kind === 'embed' || item.kind === 'spread';
}

/** Returns the embed at a path; undefined for the top level or if there is none. */
export function embedAt({ params }: QueryModel, path: EmbedPath): EmbedItem | undefined {
  let items = params.select;
  let found: EmbedItem | undefined;
  for (const name of path) {
    found = findEmbed(items, name);
    if (found === undefined) return undefined;
    items = found.select;
  }
  return found;
}

/** Returns the select list of a level; empty if there is no such embed. */
export function selectAt(model: QueryModel, path: EmbedPath): readonly SelectItem[] {
  return path.length === 0 ? model.params.select : (embedAt(model, path)?.select ?? []);
}

/** Lists the paths of all embeds, parents first. */
export function listEmbedPaths({ params }: QueryModel): readonly EmbedPath[] {
  const list = (items: readonly SelectItem[], path: EmbedPath): EmbedPath[] =>
    items.filter(isEmbed).flatMap((item) => {
      const own: EmbedPath = [...path, nameOfEmbed(item)];
      return [own].concat(list(item.select, own));
    });
  return list(params.select, []);
}

/** Changes the select list of a level. At the top level, an empty list becomes all columns. */
export function changeSelect(
  model: QueryModel,
  path: EmbedPath,
  change: (items: readonly SelectItem[]) => readonly SelectItem[],
): QueryModel {
  const select = changeItems(model.params.select, path, change);
  return changeParams(model, { select: select.length === 0 ? [{ kind: 'all' }] : select });
}

export function changeParams(model: QueryModel, changed: Partial<ModelParams>): QueryModel {
  return { ...model, params: { ...model.params, ...changed } };
}

function changeItems(
  items: readonly SelectItem[],
  path: EmbedPath,
  change: (items: readonly SelectItem[]) => readonly SelectItem[],
): readonly SelectItem[] {
  const [name, ...rest] = path;
  if (name === undefined) return change(items);
  const embed = findEmbed(items, name);
  return items.map((item) => (item === embed ? { ...embed, select: changeItems(embed.select, rest, change) } : item));
}

/** If names are equal, the first embed wins, as on the server. */
export function findEmbed(items: readonly SelectItem[], name: string): EmbedItem | undefined {
  return items.filter(isEmbed).find((item) => nameOfEmbed(item) === name);
}

export function isSamePath(first: EmbedPath, second: EmbedPath): boolean {
  return first.length === second.length && startsWithPath(first, second);
}

export function startsWithPath(path: EmbedPath, start: EmbedPath): boolean {
  return start.every((name, index) => path[index] === name);
}

export function valueAt<T>(entries: readonly Addressed<T>[], path: EmbedPath): T | undefined {
  return entries.find((entry) => isSamePath(entry.path, path))?.value;
}

/** Replaces the entries of one path, at the position of its first entry. */
export function replaceAt<T>(
  entries: readonly Addressed<T>[],
  path: EmbedPath,
  values: readonly T[],
): readonly Addressed<T>[] {
  const found = entries.findIndex((entry) => isSamePath(entry.path, path));
  const start = found < 0 ? entries.length : found;
  const others = (part: readonly Addressed<T>[]) => part.filter((entry) => !isSamePath(entry.path, path));
  return [...entries.slice(0, start), ...values.map((value) => ({ path, value })), ...others(entries.slice(start))];
}

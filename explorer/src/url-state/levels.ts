// The levels of a model: the top and its embeds, each addressed by the names on the way to it.
import type { Addressed, ColumnItem, EmbedItem, SelectItem } from '../../../src/request/query/query-params.ts';
import type { ModelParams, QueryModel } from './query-model.ts';

/** Names of embeds from the top on; `[]` is the top. */
export type EmbedPath = readonly string[];

/** The name by which an embed is addressed at its level. */
export function nameOfEmbed({ alias, target }: EmbedItem): string {
  return alias ?? target;
}

/** As the answer has it: its alias, or the last key of its path, or its column; an aggregate by its function. */
export function nameOfColumn({ alias, field, aggregate }: ColumnItem): string {
  if (alias !== undefined) return alias;
  if (aggregate !== undefined) return aggregate.function;
  const key = field.path.findLast(({ operand }) => operand.kind === 'key')?.operand;
  return key?.kind === 'key' ? key.name : field.column;
}

export function isEmbed(item: SelectItem): item is EmbedItem {
  return item.kind === 'embed' || item.kind === 'spread';
}

/** The embed at a path; undefined at the top, and where there is none. */
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

/** The select list of a level; empty where there is no such embed. */
export function selectAt(model: QueryModel, path: EmbedPath): readonly SelectItem[] {
  return path.length === 0 ? model.params.select : (embedAt(model, path)?.select ?? []);
}

/** Every embed's path, parents before their embeds. */
export function listEmbedPaths({ params }: QueryModel): readonly EmbedPath[] {
  const list = (items: readonly SelectItem[], path: EmbedPath): EmbedPath[] =>
    items.filter(isEmbed).flatMap((item) => {
      const own: EmbedPath = [...path, nameOfEmbed(item)];
      return [own].concat(list(item.select, own));
    });
  return list(params.select, []);
}

/** The model with the select list of one level changed. Of the top, an empty list becomes all columns. */
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

/** Of equal names the first counts, as for the server. */
function findEmbed(items: readonly SelectItem[], name: string): EmbedItem | undefined {
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

/** The entries with those of one path replaced, in the place of its first one. */
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

// Edits of embeds. Everything addressed to an embed is updated with it: its conditions, order and range, those of
// nested embeds, and references of its parent (presence tests, related orders).
import type { EmbedItem } from '../../../src/request/query/query-params.ts';
import { changeSelect, embedAt, type EmbedPath, isEmbed, nameOfEmbed, selectAt } from './levels.ts';
import { parseUrl } from './parse-url.ts';
import type { QueryModel } from './query-model.ts';
import { encodeValue } from './readable-text.ts';
import { readdress } from './readdress.ts';

/**
 * Embeds a relationship with all its columns, as the last item of the level. If the level already has an embed of that
 * name, the new one gets an alias.
 * @param address from the schema document: `streets`, `people!houses_owner_fkey`
 */
export function addEmbed(model: QueryModel, path: EmbedPath, address: string): QueryModel {
  const embed = parseAddress(address);
  if (embed === undefined) return model;
  const taken = new Set(selectAt(model, path).filter(isEmbed).map(nameOfEmbed));
  const alias = taken.has(embed.target) ? findFreeName(embed.target, taken) : undefined;
  return changeSelect(model, path, (items) => [...items, { ...embed, alias, select: [{ kind: 'all' }] }]);
}

/** Returns the path of the last embed of a level, which is the new one after `addEmbed`. */
export function pathOfLastEmbed(model: QueryModel, path: EmbedPath): EmbedPath | undefined {
  const last = selectAt(model, path).findLast(isEmbed);
  return last === undefined ? undefined : [...path, nameOfEmbed(last)];
}

/** Returns whether an embed has the relationship with this address. */
export function isEmbedOf({ target, hint }: EmbedItem, address: string): boolean {
  const embed = parseAddress(address);
  return embed !== undefined && embed.target === target && embed.hint === hint;
}

/** Removes an embed and everything addressed to it. */
export function removeEmbed(model: QueryModel, path: EmbedPath): QueryModel {
  const embed = embedAt(model, path);
  if (embed === undefined) return model;
  const removed = changeSelect(model, path.slice(0, -1), (items) => items.filter((item) => item !== embed));
  return readdress(removed, { path, name: undefined });
}

/** Sets the join type: `inner` omits rows without embedded rows, `left` keeps them. */
export function setJoin(model: QueryModel, path: EmbedPath, join: EmbedItem['join']): QueryModel {
  const embed = embedAt(model, path);
  return embed === undefined ? model : replaceEmbed(model, path, { ...embed, join });
}

/** Spreads the columns of an embed into its parent, or nests them again. A spread has no alias. */
export function setSpread(model: QueryModel, path: EmbedPath, isSpread: boolean): QueryModel {
  const embed = embedAt(model, path);
  if (embed === undefined) return model;
  const changed = { ...embed, alias: isSpread ? undefined : embed.alias };
  return replaceEmbed(model, path, { ...changed, kind: isSpread ? 'spread' : 'embed' });
}

/** Sets the alias of an embed; undefined or `''` removes it. Does nothing if the level already has that name. */
export function setEmbedAlias(model: QueryModel, path: EmbedPath, alias: string | undefined): QueryModel {
  const embed = embedAt(model, path);
  if (embed === undefined || embed.kind === 'spread') return model;
  return replaceEmbed(model, path, { ...embed, alias: alias || undefined });
}

function replaceEmbed(model: QueryModel, path: EmbedPath, by: EmbedItem): QueryModel {
  const embed = embedAt(model, path);
  const parent = path.slice(0, -1);
  const name = nameOfEmbed(by);
  const others = selectAt(model, parent).filter((item) => isEmbed(item) && item !== embed);
  if (others.some((item) => isEmbed(item) && nameOfEmbed(item) === name)) return model;
  const replaced = changeSelect(model, parent, (items) => items.map((item) => (item === embed ? by : item)));
  return readdress(replaced, { path, name });
}

/** Parses a name and its hint with the server's parser. */
export function parseAddress(address: string): EmbedItem | undefined {
  const parsed = parseUrl(`/t?select=${encodeValue(`${address}()`)}`);
  return parsed.ok ? parsed.value.params.select.find(isEmbed) : undefined;
}

function findFreeName(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

// Finds the embeds of an incomplete `select`, to determine which relation a name belongs to.
import { headOf, type OutlineItem } from './outline.ts';
import { readName, tokensOf } from './tokens.ts';

/** The beginning of an embed, which names its relationship. */
export interface EmbedHead {
  /** The name by which parameters address the embed. */
  readonly name: string;
  readonly target: string;
  readonly hint: string | undefined;
  /** Names of the selected columns in the response; undefined if all columns are selected. */
  readonly shown: readonly string[] | undefined;
}

/** The embeds on the path from the top to a level. */
export type EmbedChain = readonly EmbedHead[];

/** @param item must have parentheses */
export function readEmbedHead(text: string, item: OutlineItem): EmbedHead {
  // Without the levels of a recursive embed, `{4}`.
  const name = headOf(text, item).replace(/\{\d*\}\s*$/u, '');
  const head = { from: item.from, to: item.from + name.length, groups: [] };
  const words = tokensOf(text, head).map(({ separator, from, to }) => ({
    separator,
    name: readName(text.slice(from, to)),
  }));
  const target = words.findLast(({ separator }) => separator !== '!');
  const alias = words.length > 1 && target?.separator === ':' ? words[0]?.name : undefined;
  const hint = words.find(({ separator, name }) => separator === '!' && name !== 'inner' && name !== 'left');
  return {
    name: alias ?? target?.name ?? '',
    target: target?.name ?? '',
    hint: hint?.name,
    shown: listShown(text, item.groups[0]?.items ?? []),
  };
}

function listShown(text: string, items: readonly OutlineItem[]): readonly string[] | undefined {
  const columns = items.filter(({ groups }) => groups.length === 0).map((item) => readShown(text, item));
  const names = columns.filter((name) => name !== '');
  return names.length === 0 || names.includes('*') ? undefined : names;
}

/** Returns the alias, the last path key or the column name; `''` for an aggregate, which cannot be ordered by. */
function readShown(text: string, item: OutlineItem): string {
  const words = tokensOf(text, item);
  const nameAt = (index: number): string => readName(text.slice(words[index]?.from, words[index]?.to));
  if (words[1]?.separator === ':') return nameAt(0);
  if (words.some(({ separator }) => separator === '.')) return '';
  const key = words.findLastIndex(
    ({ separator }, index) => separator.startsWith('->') && !/^-?\d+$/u.test(nameAt(index)),
  );
  return nameAt(Math.max(key, 0));
}

/** Lists the embeds in a select list. */
export function listEmbeds(text: string, items: readonly OutlineItem[]): readonly EmbedHead[] {
  return items.filter(({ groups }) => groups.length > 0).map((item) => readEmbedHead(text, item));
}

/** Returns the select list of a level and the path to it; undefined if there is no such embed. */
export function findLevelList(
  text: string,
  items: readonly OutlineItem[],
  path: readonly string[],
): { readonly chain: EmbedChain; readonly items: readonly OutlineItem[] } | undefined {
  const chain: EmbedHead[] = [];
  let list = items;
  for (const name of path) {
    const found = list.find((item) => item.groups.length > 0 && readEmbedHead(text, item).name === name);
    if (found === undefined) return undefined;
    chain.push(readEmbedHead(text, found));
    list = found.groups[0]?.items ?? [];
  }
  return { chain, items: list };
}

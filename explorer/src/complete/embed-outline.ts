// The embeds of a `select` as far as it is typed: enough to know of which relation a name speaks.
import { headOf, type OutlineItem } from './outline.ts';
import { readName, tokensOf } from './tokens.ts';

/** How a relationship is named. */
export interface EmbedHead {
  /** By which parameters address it. */
  readonly name: string;
  readonly target: string;
  readonly hint: string | undefined;
  /** What its columns are called in the answer; undefined: as they are, all of them. */
  readonly shown: readonly string[] | undefined;
}

/** The embeds that lead from the top to a level. */
export type EmbedChain = readonly EmbedHead[];

/** @param item one with parentheses */
export function readEmbedHead(text: string, item: OutlineItem): EmbedHead {
  const head = { from: item.from, to: item.from + headOf(text, item).length, groups: [] };
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

/** Its alias, or the last key of its path, or its own name; `''` of an aggregate, by which nothing is ordered. */
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

/** The embeds that are opened in a list of a select. */
export function listEmbeds(text: string, items: readonly OutlineItem[]): readonly EmbedHead[] {
  return items.filter(({ groups }) => groups.length > 0).map((item) => readEmbedHead(text, item));
}

/** The list of a level, and the way to it; undefined where nothing of that name is embedded. */
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

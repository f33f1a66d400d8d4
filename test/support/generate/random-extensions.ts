// Random forms of reading that only extensions know (`beyond.md` §1).
import type { Random } from './random.ts';
import { quote } from './random-values.ts';
import type { ColumnModel, EmbedModel, RelationModel } from './schema-model.ts';

const AGGREGATES = ['sum()', 'avg()', 'max()', 'min()', 'count()', 'count(distinct)', 'sum(distinct)', 'median()'];
const FURTHER_AGGREGATES = ['stddev()', 'variance()', 'bool_and()', 'bool_or()', 'array_agg()', 'array_agg(distinct)'];
const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'isdistinct', 'cs', 'cd', 'ov'];
const MEASURES = ['fts', 'plfts(english)', 'wfts', 'trgm', 'l2', 'cosine', 'distance'];

/** Returns for example `sum(distinct)`. */
export function randomAggregate(random: Random): string {
  return random.pick(random.chance(0.7) ? AGGREGATES : FURTHER_AGGREGATES);
}

/** Returns for example `amount.sum()=gt.1`, as a parameter. */
export function randomHaving(random: Random, column: string): readonly [name: string, value: string] {
  const name = random.chance(0.3) ? 'count()' : `${column}.${randomAggregate(random)}`;
  return [name, `${random.pick(['gt', 'lte', 'not.eq'])}.${random.pick(['0', '1', '2', 'x'])}`];
}

/** Returns for example `not.gt(column).cost`. */
export function randomColumnComparison(random: Random, columns: readonly ColumnModel[]): string {
  const side = random.chance(0.8) ? 'column' : 'parent';
  const not = random.chance(0.15) ? 'not.' : '';
  return `${not}${random.pick(COMPARISONS)}(${side}).${quote(random.pick(columns).name)}`;
}

/** Returns `*` or a list of columns. */
export function randomDistinct(random: Random, columns: readonly ColumnModel[]): string {
  return random.chance(0.4) ? '*' : random.list(1, 2, () => quote(random.pick(columns).name)).join(',');
}

/** Returns for example `"body".wfts.fox`. */
export function randomScore(random: Random, columns: readonly ColumnModel[]): string {
  return `${quote(random.pick(columns).name)}.${random.pick(MEASURES)}.${random.pick(['fox', '(1,2)', '[1,2]', ''])}`;
}

/** Returns the name of a related row in a tree, for example `"authors"!"fk"`. */
export function nameRelated({ target, hint }: EmbedModel): string {
  return hint === undefined ? quote(target) : `${quote(target)}!${quote(hint)}`;
}

/** Returns the levels of an embed that contains rows of its own relation, for example `{2}`. */
export function randomLevels(random: Random, relation: RelationModel, embed: EmbedModel): string {
  const isRecursive = embed.relation === relation.name;
  return random.chance(isRecursive ? 0.4 : 0.01) ? `{${random.pick(['1', '2', '3', '0'])}}` : '';
}

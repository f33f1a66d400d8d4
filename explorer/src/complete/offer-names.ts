// Suggests names of the schema: relations, functions, parameters, columns, relationships.
import type { DescribedFunction, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import { nameOfEmbed } from '../url-state/levels.ts';
import { encodeName, encodeSegment, encodeValue } from '../url-state/readable-text.ts';
import { renderField, renderFilterField, renderHint, renderName } from '../../../src/request/query/render-names.ts';
import { findRelationship, hintsFor, type Level, type LevelColumn } from './level.ts';
import {
  type CompletionOption,
  describeColumn,
  followedBy,
  hasExtension,
  hasGroupAggregates,
  joinDetails,
  levelOf,
  type Offer,
  type OfferContext,
  withParentheses,
} from './offer.ts';
import type { Spot, SpotLevel } from './spot.ts';

type SpotOf<K extends Spot['kind']> = Extract<Spot, { kind: K }>;

/** Suggests readable relations, and functions that GET can call. */
export function offerPaths({ from }: SpotOf<'path'>, { index }: OfferContext, url: string): Offer {
  const prefix = url.slice(0, from);
  const cut = (path: string): string => path.slice(prefix.length);
  const relations = index.document.relations
    .filter(({ may }) => may.select)
    .map((one): CompletionOption => {
      const detail = joinDetails(one.kind === 'materializedView' ? 'materialized view' : one.kind, one.comment);
      return { label: one.name, apply: cut(`/${encodeSegment(one.name)}`), detail, kind: 'relation' };
    });
  const functions = [...index.functions.values()].flatMap((overloads): readonly CompletionOption[] => {
    const one = overloads.find(({ isReadOnly }) => isReadOnly);
    if (one === undefined) return [];
    const detail = joinDetails(describeSignature(one), one.comment);
    return [{ label: one.name, apply: cut(`/rpc/${encodeSegment(one.name)}`), detail, kind: 'function' }];
  });
  const options = prefix === '/rpc/' ? functions : [...relations, ...functions];
  return { options };
}

function describeSignature({ parameters }: DescribedFunction): string {
  return `function(${parameters.map(({ name, type }) => name || type.name).join(', ')})`;
}

const KEYWORDS: readonly (readonly [name: string, detail: string])[] = [
  ['select', 'columns and embeds'],
  ['order', 'columns to sort by'],
  ['limit', 'maximum number of rows'],
  ['offset', 'number of rows to skip'],
];
const GROUPS: readonly (readonly [name: string, detail: string])[] = [
  ['or', 'at least one condition holds'],
  ['and', 'all conditions hold'],
  ['not.or', 'no condition holds'],
  ['not.and', 'not all conditions hold'],
];

export function offerParameters(spot: SpotOf<'parameter'>, context: OfferContext): Offer {
  const { isNegated, level: spotLevel, next } = spot;
  if (isNegated) return { options: offerGroups(['or', 'and'], next) };
  if (spotLevel === undefined) return { options: [] };
  const isTop = spotLevel.chain.length === 0;
  const level = levelOf(context, spotLevel);
  const keywords = [...KEYWORDS, ...furtherKeywords(context)];
  return {
    options: [
      ...(isTop ? offerArguments(context, next) : []),
      ...keywords
        .filter(([name]) => (isTop ? name === spot.whole || !context.given.has(name) : name !== 'select'))
        .map(([label, detail]): CompletionOption => ({
          label,
          apply: followedBy(label, '=', next),
          detail,
          kind: 'parameter',
        })),
      ...(level?.columns ?? []).map((column) => offerFilter(column, next)),
      ...(hasGroupAggregates(context) ? [{ ...COUNT_ROWS, apply: followedBy('count()', '=', next) }] : []),
      ...offerGroups(
        GROUPS.map(([name]) => name),
        next,
      ),
      ...spotLevel.embeds.map((embed): CompletionOption => {
        const name = nameOfEmbed(embed);
        const apply = followedBy(encodeName(renderName(name)), '.', next === '=' ? '.' : next);
        return { label: name, apply, detail: 'filter, order and limit embedded rows', kind: 'relationship' };
      }),
    ],
  };
}

function furtherKeywords(context: OfferContext): typeof KEYWORDS {
  return [
    ...(hasGroupAggregates(context) ? [['distinct', 'different rows, or the first row per value'] as const] : []),
    ...(hasExtension(context, 'score') && context.path.functions.length === 0
      ? [['score', 'how well rows match, as a column to select and order by'] as const]
      : []),
  ];
}

function offerArguments({ path, given }: OfferContext, next: string): readonly CompletionOption[] {
  const parameters = path.functions.flatMap((one) => one.parameters).filter(({ name }) => name !== '');
  const byName = new Map(parameters.map((one) => [one.name, one]));
  return [...byName.values()]
    .filter(({ name, isVariadic }) => isVariadic || !given.has(name))
    .map(({ name, type, isRequired }) => ({
      label: name,
      apply: followedBy(encodeName(name), '=', next),
      detail: `${type.name}, ${isRequired ? 'required' : 'optional'} argument`,
      kind: 'parameter',
    }));
}

function offerFilter(column: LevelColumn, next: string): CompletionOption {
  const text = encodeName(renderFilterField({ column: column.name, path: [] }));
  return { label: column.name, apply: followedBy(text, '=', next), detail: describeColumn(column), kind: 'column' };
}

function offerGroups(names: readonly string[], next: string): readonly CompletionOption[] {
  return GROUPS.filter(([name]) => names.includes(name)).map(([label, detail]) => {
    if (next === '=') return { label, apply: label, detail, kind: 'keyword' };
    return { label, apply: `${label}=()`, caret: label.length + 2, detail, kind: 'keyword' };
  });
}

export function offerSelectNames(spot: SpotOf<'selectName'>, context: OfferContext): Offer {
  const level = levelOf(context, spot.level);
  if (level === undefined) return { options: [] };
  const others = new Set(spot.others);
  const isNew = (name: string): boolean => !others.has(name);
  return {
    options: [
      ...level.columns.filter(({ name }) => isNew(name)).map(offerColumn),
      ...(isNew('*') ? [ALL_COLUMNS] : []),
      ...(context.given.has('score') && spot.level.chain.length === 0 && isNew('score') ? [SCORE] : []),
      ...level.relationships.map((one) => offerRelationship(one, spot.next)),
      ...(context.index.document.features.aggregates ? [COUNT_ROWS] : []),
    ],
  };
}

const SCORE: CompletionOption = { label: 'score', apply: 'score', detail: 'how well the row matches', kind: 'column' };
const ALL_COLUMNS: CompletionOption = { label: '*', apply: '*', detail: 'all columns', kind: 'keyword' };
const COUNT_ROWS: CompletionOption = {
  label: 'count()',
  apply: 'count()',
  detail: 'number of rows',
  kind: 'aggregate',
};

/** Suggests the columns of `distinct` or `score`. */
export function offerColumnNames(
  { level: spotLevel, parameter, next }: SpotOf<'columnName'>,
  context: OfferContext,
): Offer {
  const isScore = parameter === 'score';
  const columns = (levelOf(context, spotLevel)?.columns ?? []).map((column): CompletionOption => {
    const { label, apply, detail, kind } = offerColumn(column);
    return { label, apply: isScore ? followedBy(apply, '.', next) : apply, detail, kind };
  });
  return { options: isScore ? columns : [...columns, { ...ALL_COLUMNS, detail: 'each different row once' }] };
}

function offerColumn(column: LevelColumn): CompletionOption {
  const apply = encodeValue(renderField({ column: column.name, path: [] }));
  return { label: column.name, apply, detail: describeColumn(column), kind: 'column' };
}

function offerRelationship(one: DescribedRelationship, next: string): CompletionOption {
  const option = { label: one.address, detail: describeRelationship(one), kind: 'relationship' } as const;
  return withParentheses(encodeValue(one.address), next, option);
}

function describeRelationship({ isToOne, target, schema, columns, junction }: DescribedRelationship): string {
  const to = schema === undefined ? target : `${schema}.${target}`;
  const way = columns.map(([own, other]) => `${own} → ${other}`).join(', ');
  const through = junction === undefined ? way : `through ${junction}`;
  return joinDetails(isToOne ? `one of ${to}` : `many of ${to}`, through);
}

/** Suggests join types and, for ambiguous targets, relationships after `!`. */
export function offerHints({ level, target }: SpotOf<'hint'>, context: OfferContext): Offer {
  const relationships = levelOf(context, level)?.relationships ?? [];
  const ways = relationships.filter((one) => one.target === target);
  const hints = new Set(ways.length > 1 ? ways.map((one) => hintsFor(one)[0]).filter((one) => one !== undefined) : []);
  return {
    options: [
      { label: 'inner', apply: 'inner', detail: 'omit rows without related rows', kind: 'keyword' },
      { label: 'left', apply: 'left', detail: 'keep rows without related rows', kind: 'keyword' },
      ...[...hints].map((hint): CompletionOption => ({
        label: hint,
        apply: encodeValue(renderHint(hint)),
        detail: `by ${hint}`,
        kind: 'relationship',
      })),
    ],
  };
}

export function offerOrderNames(
  { level: spotLevel, canRelate, shown, next }: SpotOf<'orderName'>,
  context: OfferContext,
): Offer {
  const level = levelOf(context, spotLevel);
  if (level === undefined || spotLevel === undefined) return { options: [] };
  return {
    options: [
      ...(shown === undefined ? level.columns.map(offerColumn) : shown.map((name) => offerShown(name, level))),
      ...(canRelate && hasGroupAggregates(context) ? [COUNT_ROWS] : []),
      ...(canRelate && context.given.has('score') ? [SCORE] : []),
      ...(canRelate ? listToOne(level, spotLevel) : []).map((name): CompletionOption => {
        const option = { label: name, detail: 'by a column of the embed', kind: 'relationship' } as const;
        return withParentheses(encodeValue(renderName(name)), next, option);
      }),
    ],
  };
}

/** Suggests a column of an embed by its name in `select`. */
function offerShown(name: string, { columns }: Level): CompletionOption {
  const column = columns.find((one) => one.name === name);
  if (column !== undefined) return offerColumn(column);
  return { label: name, apply: encodeValue(renderName(name)), detail: 'as named in select', kind: 'column' };
}

function listToOne(level: Level, { embeds }: SpotLevel): readonly string[] {
  return embeds.filter((embed) => findRelationship(level, embed)?.isToOne === true).map(nameOfEmbed);
}

export function offerConditions(
  { level: spotLevel, isNegated, next }: SpotOf<'condition'>,
  context: OfferContext,
): Offer {
  const groups = GROUPS.filter(([name]) => !isNegated || !name.startsWith('not.')).map(
    ([label, detail]): CompletionOption => withParentheses(label, next, { label, detail, kind: 'keyword' }),
  );
  if (isNegated) return { options: groups };
  const columns = (levelOf(context, spotLevel)?.columns ?? []).map((column): CompletionOption => {
    const text = encodeValue(renderFilterField({ column: column.name, path: [] }));
    return { label: column.name, apply: followedBy(text, '.', next), detail: describeColumn(column), kind: 'column' };
  });
  return { options: [...columns, ...groups] };
}

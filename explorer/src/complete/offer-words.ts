// Suggests words of the grammar, and values if they can be listed.
import { COLUMN_OPERATORS } from '../../../src/contract/operators.ts';
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';
import { describeOperatorName, operatorNamesFor } from '../schema/operators.ts';
import { encodeValue } from '../url-state/readable-text.ts';
import { renderFilterField } from '../../../src/request/query/render-names.ts';
import { renderListValue } from '../../../src/request/query/render-query.ts';
import {
  type CompletionOption,
  describeColumn,
  followedBy,
  hasExtension,
  levelOf,
  type Offer,
  type OfferContext,
  type OptionKind,
} from './offer.ts';
import { nameOfEmbed } from '../url-state/levels.ts';
import type { Spot, SpotLevel, SpotOperation, Within } from './spot.ts';

export type Word = readonly [label: string, detail: string];

export function offerWords(kind: OptionKind, words: readonly Word[]): Offer {
  return { options: words.map(([label, detail]) => ({ label, apply: encodeValue(label), detail, kind })) };
}

const CASTS: readonly Word[] = [
  ['text', 'text'],
  ['integer', 'whole number'],
  ['bigint', 'large whole number'],
  ['numeric', 'exact number'],
  ['double precision', 'approximate number'],
  ['boolean', 'true or false'],
  ['date', 'date'],
  ['time', 'time of day'],
  ['timestamp', 'date and time'],
  ['timestamptz', 'date and time with zone'],
  ['interval', 'time span'],
  ['uuid', 'identifier'],
  ['json', 'JSON as written'],
  ['jsonb', 'JSON'],
];

export function offerCasts(): Offer {
  return offerWords('type', CASTS);
}

export function offerQuantifiers({ operator }: SpotOperation, context: OfferContext): Offer {
  const isOfColumns = hasExtension(context, 'compare') && COLUMN_OPERATORS.some((name) => name === operator);
  return offerWords('keyword', [
    ['any', 'at least one value of an array'],
    ['all', 'every value of an array'],
    ...(isOfColumns ? OTHER_COLUMNS : []),
  ]);
}

const OTHER_COLUMNS: readonly Word[] = [
  ['column', 'another column of the row'],
  ['parent', 'a column of the row around an embed'],
];

const SEARCHES: readonly Word[] = [
  ['wfts', 'relevance for a web search'],
  ['plfts', 'relevance for all the words'],
  ['phfts', 'relevance for the phrase'],
  ['fts', 'relevance for a search expression'],
];
const DISTANCES: readonly Word[] = [
  ['trgm', 'distance of texts by trigrams, from 0 to 1 (pg_trgm)'],
  ['distance', 'distance by the operator <->'],
  ['l2', 'distance of vectors (pgvector)'],
  ['cosine', 'cosine distance of vectors (pgvector)'],
  ['l1', 'taxicab distance of vectors (pgvector)'],
  ['ip', 'negative inner product of vectors (pgvector)'],
];

export function offerMeasures(spot: Spot & SpotOperation, context: OfferContext): Offer {
  const category = typeOf(spot, context)?.category;
  const isText = category === 'text' || category === 'fullText' || category === 'json';
  const measures = isText ? [...SEARCHES, ...DISTANCES.slice(0, 1)] : DISTANCES;
  return {
    options: measures.map(([label, detail]) => ({
      label,
      apply: followedBy(label, '.', spot.next),
      detail,
      kind: 'operator',
    })),
  };
}

export function offerLanguages(): Offer {
  const languages = ['simple', 'english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'russian'];
  return offerWords(
    'keyword',
    languages.map((name) => [name, 'text search configuration']),
  );
}

/** Suggests operators; for a function argument, which has none, its values. */
export function offerOperators(spot: Spot & SpotOperation, context: OfferContext): Offer {
  const argument = spot.within === 'parameter' ? findArgument(spot, context) : undefined;
  if (argument !== undefined) return offerValuesOf(argument, spot.within);
  if (isEmbedName(spot, context)) return offerPresence();
  const options = operatorNamesFor(typeOf(spot, context)).map((name): CompletionOption => {
    const detail = describeOperatorName(name);
    if (name !== 'in' || spot.next === '.')
      return {
        label: name,
        apply: followedBy(name, '.', spot.next === '(' ? '.' : spot.next),
        detail,
        kind: 'operator',
      };
    return { label: name, apply: 'in.()', caret: 'in.('.length, detail, kind: 'operator' };
  });
  const negation: CompletionOption = {
    label: 'not',
    apply: followedBy('not', '.', spot.next),
    detail: 'negates the operator',
    kind: 'operator',
  };
  return { options: spot.isNegated ? options : [...options, negation] };
}

/** Returns whether the field is an embed of the level, which supports only presence tests. */
function isEmbedName({ level, field }: SpotOperation, context: OfferContext): boolean {
  const isColumn = levelOf(context, level)?.columns.some(({ name }) => name === field.column) === true;
  return !isColumn && level?.embeds.some((embed) => nameOfEmbed(embed) === field.column) === true;
}

function offerPresence(): Offer {
  return offerWords('operator', [
    ['not.is.null', 'rows with related rows'],
    ['is.null', 'rows without related rows'],
  ]);
}

export function offerValues(spot: SpotOperation, context: OfferContext): Offer {
  const type = typeOf(spot, context);
  const { operator, option, within } = spot;
  if (operator === 'is') return offerTruth(type);
  if (operator === 'in' && within !== 'list')
    return { options: [{ label: '()', apply: '()', caret: 1, detail: 'a list of values', kind: 'value' }] };
  if (option === 'column') return offerColumnsOf(spot.level, context);
  if (option === 'parent')
    return offerColumnsOf(spot.level && { chain: spot.level.chain.slice(0, -1), embeds: [] }, context);
  if (option !== undefined) return { options: [], hint: 'values in braces, such as {1,2,3}' };
  if (operator.endsWith('like')) return { options: [], hint: 'a pattern, in which * matches any text' };
  if (operator.endsWith('match')) return { options: [], hint: 'a regular expression' };
  if (operator.endsWith('fts')) return { options: [], hint: 'search terms' };
  return type === undefined ? { options: [] } : offerValuesOf(type, within);
}

function offerColumnsOf(level: SpotLevel | undefined, context: OfferContext): Offer {
  const columns = levelOf(context, level)?.columns ?? [];
  return {
    options: columns.map((column) => ({
      label: column.name,
      apply: encodeValue(renderFilterField({ column: column.name, path: [] })),
      detail: describeColumn(column),
      kind: 'column',
    })),
  };
}

function offerTruth(type: DescribedType | undefined): Offer {
  const nulls: readonly Word[] = [
    ['null', 'is null'],
    ['not_null', 'has a value'],
  ];
  const truth: readonly Word[] = [
    ['true', ''],
    ['false', ''],
    ['unknown', 'neither true nor false'],
  ];
  if (type === undefined) return offerWords('value', [...nulls, ...truth]);
  return offerWords('value', type.category === 'boolean' && !type.isArray ? [...truth, ...nulls] : nulls);
}

const HINTS: Readonly<Partial<Record<TypeCategory, string>>> = {
  number: 'a number',
  text: 'a text',
  date: 'a date, such as 2026-05-01',
  time: 'a time, such as 13:30',
  timestamp: 'a date and time, such as 2026-05-01T13:30',
  interval: 'a time span, such as 2 hours',
  uuid: 'a UUID',
  json: 'JSON, such as {"key":"value"}',
  range: 'a range, such as [1,5)',
  binary: String.raw`bytes in hexadecimal, such as \xff`,
};

function offerValuesOf({ name, category, isArray, labels }: DescribedType, within: Within): Offer {
  if (isArray) return { options: [], hint: `${name}, such as {a,b}` };
  const hint = HINTS[category] ?? `a value of type ${name}`;
  const values = category === 'boolean' ? ['true', 'false'] : (labels ?? []);
  return {
    options: values.map((label) => ({
      label,
      apply: encodeValue(within === 'parameter' ? label : renderListValue(label)),
      detail: '',
      kind: 'value',
    })),
    hint: values.length === 0 ? hint : undefined,
  };
}

function findArgument({ field, level }: SpotOperation, { path }: OfferContext): DescribedType | undefined {
  if (level === undefined || level.chain.length > 0) return undefined;
  return path.functions.flatMap(({ parameters }) => parameters).find(({ name }) => name === field.column)?.type;
}

const TEXT: DescribedType = { name: 'text', category: 'text', isArray: false };
const JSON_VALUE: DescribedType = { name: 'jsonb', category: 'json', isArray: false };

/** Returns the type of a field: JSON after a path, or text if the last arrow is `->>`. */
function typeOf({ field, level }: SpotOperation, context: OfferContext): DescribedType | undefined {
  const step = field.path.at(-1);
  if (step !== undefined) return step.arrow === '->>' ? TEXT : JSON_VALUE;
  return levelOf(context, level)?.columns.find(({ name }) => name === field.column)?.type;
}

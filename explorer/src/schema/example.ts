// Helpers for examples: relations and columns whose names need no quotes in a URL.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';

export interface Example {
  /** What the request returns. */
  readonly title: string;
  /** The part of the grammar that it demonstrates. */
  readonly concept: string;
  /** URL relative to the API. */
  readonly url: string;
}

export function isPlain(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
}

export function readableColumns(relation: DescribedRelation): readonly DescribedColumn[] {
  return relation.columns.filter(({ name, may, isComputed }) => may.select && !isComputed && isPlain(name));
}

/** Names of columns by which people recognize a row, the best first. */
const LABELS: readonly RegExp[] = [
  /^(?:name|title|label|subject)$/iu,
  /name|title|label|subject/iu,
  /^(?:headline|email|code|slug)$/iu,
];

/** The two names of a person, in any style: `first_name`, `LastName`. */
const PERSON: readonly RegExp[] = [/^(?:first|given)_?name$/iu, /^(?:last|family)_?name$|^surname$/iu];

/** Returns the columns by which people recognize a row: one, or the first and the last name. */
export function labelColumns(relation: DescribedRelation): readonly DescribedColumn[] {
  const ranked = rankLabels(readableColumns(relation));
  const names = PERSON.flatMap((part) => ranked.find(({ name }) => part.test(name)) ?? []);
  return names.length === PERSON.length ? names : ranked.slice(0, 1);
}

/** Returns the text columns, those by which people recognize a row first. */
export function rankLabels(columns: readonly DescribedColumn[]): readonly DescribedColumn[] {
  const rankOf = ({ name }: DescribedColumn): number => {
    const rank = LABELS.findIndex((label) => label.test(name));
    return rank < 0 ? LABELS.length : rank;
  };
  return columns
    .filter(({ type }) => type.category === 'text' && !type.isArray)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Returns the columns that are not part of a key. */
export function valueColumns(relation: DescribedRelation): readonly DescribedColumn[] {
  const ownColumns = relation.relationships.flatMap(({ isToOne, columns }) =>
    isToOne ? columns.map(([own]) => own) : [],
  );
  const keys = new Set([...relation.key, ...ownColumns]);
  return readableColumns(relation).filter(({ name }) => !keys.has(name));
}

/** Selects some informative columns, in table order. */
export function selectOf(relation: DescribedRelation | undefined, count: number): string {
  if (relation === undefined) return '*';
  const [label] = labelColumns(relation);
  const columns = readableColumns(relation);
  const values = valueColumns(relation).filter(({ type }) => !type.isArray && type.category !== 'json');
  const byWorth = new Set([...(label === undefined ? [] : [label]), ...(values.length > 0 ? values : columns)]);
  const chosen = new Set([...byWorth].slice(0, count));
  return columns
    .filter((column) => chosen.has(column))
    .map(({ name }) => name)
    .join(',');
}

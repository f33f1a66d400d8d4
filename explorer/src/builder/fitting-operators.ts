// A value's type → the operators that fit it, in groups, in the order in which they are offered.
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';
import type {
  FullTextOperator,
  QuantifiableOperator,
  SimpleOperator,
} from '../../../src/request/query/query-params.ts';
import { keyOfOperator, type OperatorChoice } from './operators.ts';

export interface OperatorGroup {
  readonly label: string;
  readonly operators: readonly OperatorChoice[];
}

type Compared = QuantifiableOperator | SimpleOperator;

const ORDERED: readonly Compared[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];
const PATTERNS: readonly QuantifiableOperator[] = ['like', 'ilike', 'match', 'imatch'];
const CONTAINMENT: readonly Compared[] = ['cs', 'cd', 'ov'];
const RANGES: readonly Compared[] = [...CONTAINMENT, 'sl', 'sr', 'nxr', 'nxl', 'adj'];
const LISTS: readonly QuantifiableOperator[] = ['eq', 'gt', 'gte', 'lt', 'lte'];
const WITHOUT_LISTS: ReadonlySet<TypeCategory> = new Set<TypeCategory>([
  'boolean',
  'json',
  'range',
  'fullText',
  'geometry',
  'binary',
  'composite',
]);
const FULL_TEXT: readonly FullTextOperator[] = ['wfts', 'plfts', 'phfts', 'fts'];
const CONTAINS: OperatorChoice = { kind: 'contains' };
const IN: OperatorChoice = { kind: 'in' };
const NULLS: readonly OperatorChoice[] = [{ kind: 'is' }, { kind: 'isDistinct' }];

/** Groups without operators are left out. */
export function operatorsFor(type: DescribedType): readonly OperatorGroup[] {
  const listed = listOperatorsFor(type);
  const groups: readonly OperatorGroup[] = [
    { label: 'One value', operators: plainOperatorsFor(type) },
    { label: 'Full text', operators: isSearchable(type) ? fullText(FULL_TEXT) : [] },
    { label: 'Any of a list', operators: compare(listed, 'any') },
    { label: 'All of a list', operators: compare(listed, 'all') },
  ];
  return groups.filter(({ operators }) => operators.length > 0);
}

/** As above; the one given is among them even where it does not fit, so that no URL loses it. */
export function operatorsWith(type: DescribedType, present: OperatorChoice): readonly OperatorGroup[] {
  const groups = operatorsFor(type);
  const key = keyOfOperator(present);
  const isOffered = groups.some(({ operators }) => operators.some((one) => keyOfOperator(one) === key));
  return isOffered ? groups : [...groups, { label: 'In the URL', operators: [present] }];
}

/** What a new filter on such a value begins with. */
export function firstOperatorFor(type: DescribedType): OperatorChoice {
  if (type.category === 'text' && !type.isArray) return CONTAINS;
  return operatorsFor(type)[0]?.operators[0] ?? { kind: 'is' };
}

function plainOperatorsFor({ name, category, isArray }: DescribedType): readonly OperatorChoice[] {
  if (isArray) return [...compare([...CONTAINMENT, 'eq', 'neq']), ...NULLS];
  switch (category) {
    case 'number':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'interval':
    case 'uuid':
    case 'enum':
      return [...compare(ORDERED), IN, ...NULLS];
    case 'text':
      return [CONTAINS, ...compare(['eq', 'neq']), IN, ...compare(PATTERNS), ...compare(ORDERED.slice(2)), ...NULLS];
    case 'boolean':
      return [{ kind: 'is' }, ...compare(['eq', 'neq']), { kind: 'isDistinct' }];
    case 'json':
      return name === 'json' ? [{ kind: 'is' }] : [...compare(['cs', 'cd', 'eq', 'neq']), ...NULLS];
    case 'range':
      return [...compare([...RANGES, ...ORDERED]), ...NULLS];
    case 'fullText':
    case 'geometry':
      return [{ kind: 'is' }];
    case 'binary':
    case 'composite':
      return [...compare(['eq', 'neq']), ...NULLS];
    case 'other':
      return [...compare(ORDERED), IN, CONTAINS, ...compare([...PATTERNS, ...RANGES]), ...NULLS];
  }
}

function listOperatorsFor({ category, isArray }: DescribedType): readonly QuantifiableOperator[] {
  if (isArray || WITHOUT_LISTS.has(category)) return [];
  return category === 'text' || category === 'other' ? [...LISTS, ...PATTERNS] : LISTS;
}

function isSearchable({ category, isArray }: DescribedType): boolean {
  return !isArray && (category === 'text' || category === 'json' || category === 'fullText' || category === 'other');
}

function compare(operators: readonly Compared[], quantifier?: 'any' | 'all'): readonly OperatorChoice[] {
  return operators.map((operator) => ({ kind: 'compare', operator, quantifier }));
}

function fullText(operators: readonly FullTextOperator[]): readonly OperatorChoice[] {
  return operators.map((operator) => ({ kind: 'fullText', operator }));
}

// Chooses the input for a type and an operator, and the HTML input type that can display the text of a value.
import type { DescribedColumn, DescribedType } from '../../../src/contract/schema-document.ts';
import { IS_VALUES, type OperatorChoice } from './operators.ts';

export type ScalarInput =
  | { readonly kind: 'text'; readonly placeholder: string }
  | { readonly kind: 'number' | 'date' | 'time' | 'timestamp' }
  | { readonly kind: 'choice'; readonly values: readonly string[] };

export type ValueInput =
  | ScalarInput
  /** Several values. `isLiteral`: they form one array literal. */
  | { readonly kind: 'list'; readonly element: ScalarInput; readonly isLiteral: boolean }
  | { readonly kind: 'fullText'; readonly placeholder: string };

export function inputFor(type: DescribedType, choice: OperatorChoice): ValueInput {
  switch (choice.kind) {
    case 'is':
      return { kind: 'choice', values: type.category === 'boolean' ? IS_VALUES : IS_VALUES.slice(0, 2) };
    case 'in':
      return { kind: 'list', element: scalarInputFor(type), isLiteral: false };
    case 'compareColumn':
      return text('name of a column');
    case 'contains':
      return text('part of the text');
    case 'literalText': {
      const element = text('part of the text');
      return choice.quantifier === undefined ? element : { kind: 'list', element, isLiteral: false };
    }
    case 'fullText':
      return { kind: 'fullText', placeholder: SEARCHES[choice.operator] };
    case 'isDistinct':
      return comparedInput(type);
    case 'compare':
      if (choice.quantifier !== undefined) return { kind: 'list', element: elementFor(type, choice), isLiteral: false };
      return isPattern(choice) ? elementFor(type, choice) : comparedInput(type);
  }
}

const SEARCHES = {
  wfts: 'cat -dog "black cat"',
  plfts: 'black cat',
  phfts: 'black cat',
  fts: "black & !dog | 'cat':*",
} as const;

function isPattern(choice: OperatorChoice): boolean {
  return choice.kind === 'compare' && /like$|match$/u.test(choice.operator);
}

function elementFor(type: DescribedType, choice: OperatorChoice): ScalarInput {
  if (!isPattern(choice)) return scalarInputFor(type);
  return text(choice.kind === 'compare' && choice.operator.endsWith('like') ? '*part*' : '^regular expression$');
}

function comparedInput(type: DescribedType): ValueInput {
  if (!type.isArray) return scalarInputFor(type);
  return { kind: 'list', element: scalarInputFor({ ...type, isArray: false }), isLiteral: true };
}

function scalarInputFor({ name, category, labels }: DescribedType): ScalarInput {
  switch (category) {
    case 'number':
    case 'date':
      return { kind: category };
    case 'time':
      return name.endsWith('with time zone') ? text('12:30+01:00') : { kind: 'time' };
    case 'timestamp':
      return { kind: 'timestamp' };
    case 'boolean':
      return { kind: 'choice', values: ['true', 'false'] };
    case 'enum':
      return labels === undefined ? text('') : { kind: 'choice', values: labels };
    case 'range':
      return text('[1,10)');
    case 'interval':
      return text('3 days 04:00');
    case 'uuid':
      return text('00000000-0000-…');
    case 'json':
      return text('{"key":"value"}');
    case 'binary':
    case 'composite':
    case 'fullText':
    case 'geometry':
    case 'other':
    case 'text':
      return text('');
  }
}

function text(placeholder: string): ScalarInput {
  return { kind: 'text', placeholder };
}

/** Falls back to a text input, because browsers show other inputs as empty if they cannot parse the value. */
export function htmlTypeFor({ kind }: ScalarInput, value: string): 'text' | 'date' | 'time' | 'datetime-local' {
  if (kind === 'text' || kind === 'choice' || kind === 'number') return 'text';
  if (value !== '' && !SHAPES[kind].test(value)) return 'text';
  return kind === 'timestamp' ? 'datetime-local' : kind;
}

const SHAPES = {
  date: /^\d{4}-\d\d-\d\d$/u,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/u,
  timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/u,
} as const;

/** Returns the type at the end of a path: text after `->>`, JSON after `->`. */
export function typeAtPath(column: DescribedColumn | undefined, lastArrow: '->' | '->>' | undefined): DescribedType {
  if (lastArrow === '->>') return { name: 'text', category: 'text', isArray: false };
  if (lastArrow === '->') return { name: 'jsonb', category: 'json', isArray: false };
  return column?.type ?? { name: 'unknown', category: 'other', isArray: false };
}

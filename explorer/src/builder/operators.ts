// An operator as it is chosen: how the URL writes it and what it is called. What a filter has of it, and a filter with
// another one.
import type {
  FullTextOperator,
  Operation,
  QuantifiableOperator,
  SimpleOperator,
} from '../../../src/request/query/query-params.ts';
import { formatArray, parseArray } from './array-literal.ts';

export type OperatorChoice =
  | {
      readonly kind: 'compare';
      readonly operator: QuantifiableOperator | SimpleOperator;
      readonly quantifier: 'any' | 'all' | undefined;
    }
  | { readonly kind: 'fullText'; readonly operator: FullTextOperator }
  /** Stands for `ilike.*…*`. */
  | { readonly kind: 'contains' }
  | { readonly kind: 'in' | 'is' | 'isDistinct' };

const WORDS: Readonly<Record<QuantifiableOperator | SimpleOperator | FullTextOperator, string>> = {
  eq: 'equals',
  neq: 'is not',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  like: 'matches the pattern',
  ilike: 'matches the pattern, any case',
  match: 'matches the expression',
  imatch: 'matches the expression, any case',
  cs: 'contains',
  cd: 'is contained in',
  ov: 'overlaps',
  sl: 'lies left of',
  sr: 'lies right of',
  nxr: 'does not extend right of',
  nxl: 'does not extend left of',
  adj: 'is adjacent to',
  wfts: 'web search',
  plfts: 'has all the words',
  phfts: 'has the phrase',
  fts: 'search expression',
};

/** The same text for the same choice only; what the URL has before the value. */
export function keyOfOperator(choice: OperatorChoice): string {
  switch (choice.kind) {
    case 'compare':
      return choice.quantifier === undefined ? choice.operator : `${choice.operator}(${choice.quantifier})`;
    case 'fullText':
      return choice.operator;
    case 'isDistinct':
      return 'isdistinct';
    case 'contains':
    case 'in':
    case 'is':
      return choice.kind;
  }
}

/** `is at least · gte` */
export function describeOperator(choice: OperatorChoice): string {
  switch (choice.kind) {
    case 'compare':
      return choice.quantifier === undefined
        ? `${WORDS[choice.operator]} · ${choice.operator}`
        : `${WORDS[choice.operator]} ${choice.quantifier} of · ${keyOfOperator(choice)}`;
    case 'fullText':
      return `${WORDS[choice.operator]} · ${choice.operator}`;
    case 'contains':
      return 'contains the text';
    case 'in':
      return 'is one of · in';
    case 'is':
      return 'is null, true … · is';
    case 'isDistinct':
      return 'is distinct from · isdistinct';
  }
}

export function operatorOf(operation: Operation): OperatorChoice {
  switch (operation.kind) {
    case 'compare': {
      const { operator, quantifier, value } = operation;
      const isContained = operator === 'ilike' && quantifier === undefined && isContainsPattern(value);
      return isContained ? { kind: 'contains' } : { kind: 'compare', operator, quantifier };
    }
    case 'fullText':
      return { kind: 'fullText', operator: operation.operator };
    case 'in':
    case 'is':
    case 'isDistinct':
      return { kind: operation.kind };
  }
}

/** The values as they are typed; several for `in` and for a quantifier, else one. */
export function valuesOf(operation: Operation): readonly string[] {
  switch (operation.kind) {
    case 'in':
      return operation.values;
    case 'compare':
      if (operation.quantifier !== undefined) return parseArray(operation.value) ?? [operation.value];
      return operatorOf(operation).kind === 'contains' ? [operation.value.slice(1, -1)] : [operation.value];
    case 'fullText':
    case 'is':
    case 'isDistinct':
      return [operation.value];
  }
}

/** `language` of a full-text search stays where both are one. */
export function withOperator(operation: Operation, choice: OperatorChoice): Operation {
  const values = operation.kind === 'is' ? [''] : valuesOf(operation);
  const language = operation.kind === 'fullText' ? operation.language : undefined;
  return makeOperation(choice, values, language);
}

export function withValues(operation: Operation, values: readonly string[]): Operation {
  const language = operation.kind === 'fullText' ? operation.language : undefined;
  return makeOperation(operatorOf(operation), values, language);
}

export function makeOperation(choice: OperatorChoice, values: readonly string[], language?: string): Operation {
  const value = values[0] ?? '';
  const several = values.length === 1 && value === '' ? [] : values;
  switch (choice.kind) {
    case 'compare':
      return { ...choice, value: choice.quantifier === undefined ? value : formatArray(several) };
    case 'fullText':
      return { ...choice, language, value };
    case 'contains':
      return { kind: 'compare', operator: 'ilike', quantifier: undefined, value: `*${value}*` };
    case 'in':
      return { kind: 'in', values: several };
    case 'is':
      return { kind: 'is', value: IS_VALUES.find((one) => one === value) ?? 'null' };
    case 'isDistinct':
      return { kind: 'isDistinct', value };
  }
}

/** A filter without a value would be refused, or keep no row. */
export function isComplete(operation: Operation): boolean {
  return operation.kind === 'is' || valuesOf(operation).some((value) => value !== '');
}

export const IS_VALUES = ['null', 'not_null', 'true', 'false', 'unknown'] as const;

function isContainsPattern(value: string): boolean {
  return /^\*[^*]*\*$/u.test(value);
}

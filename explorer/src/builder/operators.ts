// Operators as the builder presents them, and their conversion from and to filter operations.
import type {
  ColumnOperator,
  FullTextOperator,
  QuantifiableOperator,
  SimpleOperator,
  TextOperator,
} from '../../../src/contract/operators.ts';
import type { Operation } from '../../../src/request/query/query-params.ts';
import { describeOperatorName } from '../schema/operators.ts';
import { formatArray, parseArray } from './array-literal.ts';

export type OperatorChoice =
  | {
      readonly kind: 'compare';
      readonly operator: QuantifiableOperator | SimpleOperator;
      readonly quantifier: 'any' | 'all' | undefined;
    }
  | {
      readonly kind: 'literalText';
      readonly operator: TextOperator;
      readonly quantifier: 'any' | 'all' | undefined;
    }
  | { readonly kind: 'fullText'; readonly operator: FullTextOperator }
  | { readonly kind: 'compareColumn'; readonly operator: ColumnOperator; readonly row: 'column' | 'parent' }
  /** Represents `ilike.*…*`. */
  | { readonly kind: 'contains' }
  | { readonly kind: 'in' | 'is' | 'isDistinct' };

/** Returns a unique key: the text that precedes the value in the URL. */
export function keyOfOperator(choice: OperatorChoice): string {
  switch (choice.kind) {
    case 'compare':
    case 'literalText':
      return choice.quantifier === undefined ? choice.operator : `${choice.operator}(${choice.quantifier})`;
    case 'fullText':
      return choice.operator;
    case 'isDistinct':
      return 'isdistinct';
    case 'compareColumn':
      return `${choice.operator}(${choice.row})`;
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
    case 'literalText': {
      const list = choice.quantifier === undefined ? '' : ` ${choice.quantifier} of`;
      return `${describeOperatorName(choice.operator)}${list} · ${keyOfOperator(choice)}`;
    }
    case 'fullText':
      return `${describeOperatorName(choice.operator)} · ${choice.operator}`;
    case 'compareColumn':
      return `${describeOperatorName(choice.operator)} · ${keyOfOperator(choice)}`;
    case 'contains':
      return 'contains the text';
    case 'in':
    case 'is':
      return `${describeOperatorName(choice.kind)} · ${choice.kind}`;
    case 'isDistinct':
      return `${describeOperatorName('isdistinct')} · isdistinct`;
  }
}

export function operatorOf(operation: Operation): OperatorChoice {
  switch (operation.kind) {
    case 'compare': {
      const { operator, quantifier, value } = operation;
      const isContained = operator === 'ilike' && quantifier === undefined && isContainsPattern(value);
      return isContained ? { kind: 'contains' } : { kind: 'compare', operator, quantifier };
    }
    case 'compareColumn':
      return { kind: 'compareColumn', operator: operation.operator, row: operation.row };
    case 'literalText':
      return { kind: 'literalText', operator: operation.operator, quantifier: operation.quantifier };
    case 'fullText':
      return { kind: 'fullText', operator: operation.operator };
    case 'in':
    case 'is':
    case 'isDistinct':
      return { kind: operation.kind };
  }
}

/** Returns the values as typed: several for `in` and quantified operators, else one. */
export function valuesOf(operation: Operation): readonly string[] {
  switch (operation.kind) {
    case 'in':
      return operation.values;
    case 'compare':
    case 'literalText':
      if (operation.quantifier !== undefined) return parseArray(operation.value) ?? [operation.value];
      return operatorOf(operation).kind === 'contains' ? [operation.value.slice(1, -1)] : [operation.value];
    case 'compareColumn':
      return [operation.field.column];
    case 'fullText':
    case 'is':
    case 'isDistinct':
      return [operation.value];
  }
}

/** Keeps `language` if both operations are full-text searches. */
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
    case 'literalText':
      return { ...choice, value: choice.quantifier === undefined ? value : formatArray(several) };
    case 'fullText':
      return { ...choice, language, value };
    case 'compareColumn':
      return { ...choice, field: { column: value, path: [] } };
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

/** The server would reject a filter without a value, or it would match no rows. */
export function isComplete(operation: Operation): boolean {
  return operation.kind === 'is' || valuesOf(operation).some((value) => value !== '');
}

export const IS_VALUES = ['null', 'not_null', 'true', 'false', 'unknown'] as const;

function isContainsPattern(value: string): boolean {
  return /^\*[^*]*\*$/u.test(value);
}

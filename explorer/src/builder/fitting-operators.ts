// Lists the operators for a type, grouped and in display order.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import {
  isLiteralText,
  isSearch,
  operatorNamesFor,
  type OperatorName,
  quantifiedNamesFor,
} from '../schema/operators.ts';
import { keyOfOperator, type OperatorChoice } from './operators.ts';

export interface OperatorGroup {
  readonly label: string;
  readonly operators: readonly OperatorChoice[];
}

const CONTAINS: OperatorChoice = { kind: 'contains' };

/** Omits empty groups. */
export function operatorsFor(type: DescribedType): readonly OperatorGroup[] {
  const names = operatorNamesFor(type);
  const groups: readonly OperatorGroup[] = [
    { label: 'One value', operators: withContains(type, names.filter((name) => !isSearch(name)).map(choiceOf)) },
    { label: 'Full text', operators: names.filter(isSearch).map(choiceOf) },
    { label: 'Any of a list', operators: quantified(type, 'any') },
    { label: 'All of a list', operators: quantified(type, 'all') },
  ];
  return groups.filter(({ operators }) => operators.length > 0);
}

/** Like `operatorsFor`, but always includes `present`, so that editing does not lose an unusual operator. */
export function operatorsWith(type: DescribedType, present: OperatorChoice): readonly OperatorGroup[] {
  const groups = operatorsFor(type);
  const key = keyOfOperator(present);
  const isOffered = groups.some(({ operators }) => operators.some((one) => keyOfOperator(one) === key));
  return isOffered ? groups : [...groups, { label: 'From the URL', operators: [present] }];
}

/** Returns the operator of a new filter. */
export function firstOperatorFor(type: DescribedType): OperatorChoice {
  return operatorsFor(type)[0]?.operators[0] ?? { kind: 'is' };
}

function withContains(
  { category, isArray }: DescribedType,
  operators: readonly OperatorChoice[],
): readonly OperatorChoice[] {
  if (isArray || (category !== 'text' && category !== 'other')) return operators;
  return category === 'text' ? [CONTAINS, ...operators] : [...operators, CONTAINS];
}

function choiceOf(name: OperatorName): OperatorChoice {
  if (isSearch(name)) return { kind: 'fullText', operator: name };
  if (name === 'in' || name === 'is') return { kind: name };
  if (name === 'isdistinct') return { kind: 'isDistinct' };
  if (isLiteralText(name)) return { kind: 'literalText', operator: name, quantifier: undefined };
  return { kind: 'compare', operator: name, quantifier: undefined };
}

function quantified(type: DescribedType, quantifier: 'any' | 'all'): readonly OperatorChoice[] {
  return quantifiedNamesFor(type).map((operator) => ({ kind: 'compare', operator, quantifier }));
}

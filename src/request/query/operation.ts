// Parses the right side of a filter, alone or in a logic tree: `not.gte.5`, `in.(1,2)`, `fts(english).fox`
// (`reading.md` §3.3).
import {
  COLUMN_OPERATORS,
  type ColumnOperator,
  FULL_TEXT_OPERATORS,
  type FullTextOperator,
  QUANTIFIABLE_OPERATORS,
  type QuantifiableOperator,
  SIMPLE_OPERATORS,
  type SimpleOperator,
  type SpecialOperator,
  TEXT_OPERATORS,
  type TextOperator,
} from '../../contract/operators.ts';
import { assertNever } from '../../contract/result.ts';
import { countArrayElements } from './array-elements.ts';
import { isAggregate } from './aggregate.ts';
import { attempt, DELIMITER, label, type Parser } from './combinators.ts';
import { parseField } from './field.ts';
import { parseQuoted, parseTypeName } from './names.ts';
import type { AggregateTerm, Field, Filter, HavingFilter, IsValue, Operation } from './query-params.ts';
import { findFirst, type Scanner } from './scanner.ts';

export interface OperationExpression {
  readonly negated: boolean;
  readonly operation: Operation;
}

/** After `not.`, `in.` or `is.` the text must be an operation; before that it may be something else. */
export function parseOperationExpression(
  scanner: Scanner,
  parseValue: Parser<string>,
): OperationExpression | undefined {
  const negated = attempt(scanner, parseNot) === true;
  const head = label(scanner, 'operator (eq, gt, ...)', parseHead);
  const operation = head === undefined ? undefined : parseOperand(scanner, head, parseValue);
  return operation === undefined ? undefined : { negated, operation };
}

export function makeCondition(field: Field | AggregateTerm, expression: OperationExpression): Filter | HavingFilter {
  const { negated, operation } = expression;
  if (isAggregate(field)) return { kind: 'having', term: field, negated, operation };
  return { kind: 'filter', field, negated, operation };
}

/** Parses text between `"` and `"` directly before `,` or `)`; elsewhere a quote is an ordinary character. */
export function parseDelimitedQuoted(scanner: Scanner): string | undefined {
  const value = parseQuoted(scanner);
  return value !== undefined && (scanner.isBefore(',') || scanner.isBefore(')')) ? value : undefined;
}

/** Parses everything up to the next `,` or `)`, possibly nothing. */
export function parseRawValue(scanner: Scanner): string {
  const { text, at } = scanner;
  const end = findFirst(text, at, VALUE_ENDS);
  scanner.advanceTo(end);
  scanner.expect(undefined);
  return text.slice(at, end);
}

const VALUE_ENDS = /[,)]/gu;

type Operator =
  | { readonly kind: 'quantifiable'; readonly name: QuantifiableOperator }
  | { readonly kind: 'simple'; readonly name: SimpleOperator }
  | { readonly kind: 'fullText'; readonly name: FullTextOperator }
  | { readonly kind: 'literalText'; readonly name: TextOperator }
  | { readonly kind: 'in' | 'is' | 'isDistinct' };

const IS_VALUES: readonly IsValue[] = ['null', 'not_null', 'true', 'false', 'unknown'];

const SPECIAL: Readonly<Record<SpecialOperator, Operator>> = {
  in: { kind: 'in' },
  is: { kind: 'is' },
  isdistinct: { kind: 'isDistinct' },
};

interface OperatorTable {
  readonly byName: ReadonlyMap<string, Operator>;
  /** Matches the longest name. */
  readonly pattern: RegExp;
}

const CORE_OPERATORS: readonly (readonly [string, Operator])[] = [
  ...QUANTIFIABLE_OPERATORS.map((name) => [name, { kind: 'quantifiable', name }] as const),
  ...SIMPLE_OPERATORS.map((name) => [name, { kind: 'simple', name }] as const),
  ...FULL_TEXT_OPERATORS.map((name) => [name, { kind: 'fullText', name }] as const),
  ...Object.entries(SPECIAL),
];
const CORE: OperatorTable = tableOf(CORE_OPERATORS);
/** With the extension `text`. */
const WITH_TEXT: OperatorTable = tableOf([
  ...CORE_OPERATORS,
  ...TEXT_OPERATORS.map((name) => [name, { kind: 'literalText', name }] as const),
]);

function tableOf(operators: readonly (readonly [string, Operator])[]): OperatorTable {
  const byName = new Map<string, Operator>(operators);
  return { byName, pattern: new RegExp([...byName.keys()].sort((a, b) => b.length - a.length).join('|'), 'y') };
}

/** What stands in parentheses after an operator. */
interface Modifier {
  readonly quantifier: 'any' | 'all' | undefined;
  readonly language: string | undefined;
  readonly compared: Pick<Extract<Operation, { kind: 'compareColumn' }>, 'operator' | 'row'> | undefined;
}

const NO_MODIFIER: Modifier = { quantifier: undefined, language: undefined, compared: undefined };

interface OperatorHead extends Modifier {
  readonly operator: Operator;
}

function parseNot(scanner: Scanner): true | undefined {
  return (scanner.take('not') && scanner.take('.', DELIMITER)) || undefined;
}

function parseHead(scanner: Scanner): OperatorHead | undefined {
  return attempt(scanner, parseOperatorAndDot);
}

function parseOperatorAndDot(scanner: Scanner): OperatorHead | undefined {
  const operator = parseOperator(scanner);
  const modifier = operator && parseModifier(scanner, operator);
  if (operator === undefined || modifier === undefined) return undefined;
  return scanner.take('.', DELIMITER) ? { operator, ...modifier } : undefined;
}

/** Parses what the operator allows in parentheses, or nothing. */
function parseModifier(scanner: Scanner, operator: Operator): Modifier | undefined {
  const columnOperator = scanner.allows('compare') ? findColumnOperator(operator) : undefined;
  const takesQuantifier = operator.kind === 'quantifiable' || operator.kind === 'literalText';
  const takesModifier = takesQuantifier || operator.kind === 'fullText' || columnOperator !== undefined;
  if (!takesModifier || !scanner.take('(')) return NO_MODIFIER;
  let modifier: Modifier | undefined;
  if (columnOperator !== undefined) modifier = parseRow(scanner, columnOperator);
  if (takesQuantifier) modifier ??= parseQuantifier(scanner);
  if (operator.kind === 'fullText') {
    const language = parseTypeName(scanner);
    modifier = language === undefined ? undefined : { ...NO_MODIFIER, language };
  }
  return modifier !== undefined && scanner.take(')') ? modifier : undefined;
}

function findColumnOperator(operator: Operator): ColumnOperator | undefined {
  const name = operator.kind === 'isDistinct' ? 'isdistinct' : 'name' in operator ? operator.name : undefined;
  return COLUMN_OPERATORS.find((one) => one === name);
}

function parseRow(scanner: Scanner, operator: ColumnOperator): Modifier | undefined {
  if (scanner.take('column')) return { ...NO_MODIFIER, compared: { operator, row: 'column' } };
  return scanner.take('parent') ? { ...NO_MODIFIER, compared: { operator, row: 'parent' } } : undefined;
}

function parseQuantifier(scanner: Scanner): Modifier | undefined {
  if (scanner.take('any')) return { ...NO_MODIFIER, quantifier: 'any' };
  return scanner.take('all') ? { ...NO_MODIFIER, quantifier: 'all' } : undefined;
}

function parseOperator(scanner: Scanner): Operator | undefined {
  const { byName, pattern } = scanner.allows('text') ? WITH_TEXT : CORE;
  pattern.lastIndex = scanner.at;
  const name = pattern.exec(scanner.text)?.[0];
  if (name === undefined) {
    scanner.expect(undefined);
    return undefined;
  }
  scanner.advanceTo(scanner.at + name.length);
  return byName.get(name);
}

function parseOperand(
  scanner: Scanner,
  { operator, quantifier, language, compared }: OperatorHead,
  parseValue: Parser<string>,
): Operation | undefined {
  if (compared !== undefined) {
    const field = parseField(scanner);
    return field && { kind: 'compareColumn', ...compared, field };
  }
  if (operator.kind === 'in') return parseList(scanner);
  if (operator.kind === 'is') return parseIsOperand(scanner);
  const value = parseValue(scanner);
  if (value === undefined || !scanner.allowsValue(value)) return undefined;
  if (!countCompared(scanner, { operator, quantifier, value })) return undefined;
  switch (operator.kind) {
    case 'quantifiable':
    case 'simple':
      return { kind: 'compare', operator: operator.name, quantifier, value };
    case 'literalText':
      return { kind: 'literalText', operator: operator.name, quantifier, value };
    case 'fullText':
      return scanner.countSearch(value) ? { kind: 'fullText', operator: operator.name, language, value } : undefined;
    case 'isDistinct':
      return { kind: 'isDistinct', value };
    default:
      return assertNever(operator.kind);
  }
}

/** Counts the elements and the regular expressions that each row is compared with; returns false beyond a limit. */
function countCompared(
  scanner: Scanner,
  {
    operator,
    quantifier,
    value,
  }: Pick<Modifier, 'quantifier'> & { readonly operator: Operator; readonly value: string },
): boolean {
  const name = 'name' in operator ? operator.name : undefined;
  const isList = quantifier !== undefined || name === 'cs' || name === 'cd' || name === 'ov';
  if (isList && !scanner.countElements(value)) return false;
  if (name !== 'match' && name !== 'imatch') return true;
  return scanner.countPatterns(quantifier === undefined ? 1 : countArrayElements(value));
}

function parseIsOperand(scanner: Scanner): Operation | undefined {
  const value = label(scanner, `isVal: (${IS_VALUES.join(', ')})`, parseIsValue);
  return value === undefined ? undefined : { kind: 'is', value };
}

function parseIsValue(scanner: Scanner): IsValue | undefined {
  return IS_VALUES.find((value) => takeIgnoringCase(scanner, value));
}

/** Unlike a literal, a case-insensitive word fails where it differs rather than where it begins. */
function takeIgnoringCase(scanner: Scanner, word: string): boolean {
  const found = scanner.text.slice(scanner.at, scanner.at + word.length).toLowerCase();
  if (found === word) scanner.advanceTo(scanner.at + word.length);
  else scanner.expect(undefined, scanner.at + countCommonStart(found, word));
  return found === word;
}

function countCommonStart(first: string, second: string): number {
  let count = 0;
  while (count < first.length && first[count] === second[count]) count += 1;
  return count;
}

const QUOTE = 0x22;

/** A list with one empty element is the empty list (`reading.md` §5.4). */
function parseList(scanner: Scanner): Operation | undefined {
  scanner.skipBlanks();
  if (!scanner.take('(')) return undefined;
  scanner.skipBlanks();
  const values: string[] = [];
  do {
    const isQuoted = scanner.text.charCodeAt(scanner.at) === QUOTE || scanner.at >= scanner.explainFrom;
    const value = (isQuoted ? attempt(scanner, parseDelimitedQuoted) : undefined) ?? parseRawValue(scanner);
    if (!scanner.allowsValue(value) || !scanner.countElement()) return undefined;
    values.push(value);
  } while (scanner.take(','));
  if (!scanner.take(')')) return undefined;
  scanner.skipBlanks();
  return { kind: 'in', values: values.length === 1 && values[0] === '' ? [] : values };
}

// Expressions of TanStack DB → filters of the server.
import type { IR } from '@tanstack/db';
import { isPlainName, quote, quoteName, renderValue } from './grammar.ts';

/** Writes a value of a column as the server reads it. */
export type Serialize = (column: string, value: unknown) => unknown;

type Expression = IR.BasicExpression;
type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'like' | 'ilike';

/** `column=eq.value` as a parameter of its own, which the server finds rows by, or a member of `and=(…)`. */
export type Condition =
  | { readonly kind: 'equal'; readonly column: string; readonly value: string }
  | { readonly kind: 'tree'; readonly text: string };

export interface Translation {
  /** All of them hold for the rows that the expression selects. */
  readonly conditions: readonly Condition[];
  /** What the conditions do not say. The rows that they select are too many then. */
  readonly unsaid: readonly string[];
}

/** What cannot be said is left out, so that too many rows are selected, never too few. */
export function translate(expression: Expression | undefined, serialize: Serialize): Translation {
  const unsaid: string[] = [];
  const conditions = expression === undefined ? [] : conjuncts(expression, { serialize, unsaid });
  return { conditions, unsaid };
}

/** Returns the expression of an order as the server's term, or undefined. */
export function translateOrder(expression: Expression): string | undefined {
  return expression.type === 'ref' ? renderField(expression.path, '->') : undefined;
}

interface Context {
  readonly serialize: Serialize;
  readonly unsaid: string[];
}

function conjuncts(expression: Expression, context: Context): readonly Condition[] {
  if (expression.type === 'func' && expression.name === 'and')
    return expression.args.flatMap((member) => conjuncts(member, context));
  if (expression.type === 'val' && expression.value === true) return [];
  const equal = toEquality(expression, context);
  if (equal !== undefined) return [equal];
  const text = renderNode(expression, false, context);
  if (text !== undefined) return [{ kind: 'tree', text }];
  context.unsaid.push(describe(expression));
  return [];
}

function toEquality(expression: Expression, { serialize }: Context): Condition | undefined {
  const comparison = readComparison(expression);
  if (comparison?.operator !== 'eq' || comparison.path.length > 1) return undefined;
  const [column = ''] = comparison.path;
  const value = renderValue(serialize(column, comparison.value));
  return value !== undefined && isPlainName(column) ? { kind: 'equal', column, value } : undefined;
}

/** @param isNegated whether the rows are wanted for which the expression is false */
function renderNode(expression: Expression, isNegated: boolean, context: Context): string | undefined {
  // A column of type boolean.
  if (expression.type === 'ref') {
    const field = expression.path.length === 1 ? renderField(expression.path, '->') : undefined;
    return field && `${field}.is.${isNegated ? 'false' : 'true'}`;
  }
  if (expression.type === 'val') return undefined;
  const { name, args } = expression;
  const [first] = args;
  if (name === 'not') return first && renderNode(first, !isNegated, context);
  if (name === 'and' || name === 'or') return renderGroup(expression, isNegated, context);
  if (name === 'isNull') return first && renderNull(first, isNegated);
  const comparison = readComparison(expression);
  const text = comparison && renderComparison(comparison, context);
  return text && text(isNegated ? 'not.' : '');
}

/** Of members that all have to hold, those that cannot be said may be left out. */
function renderGroup({ name, args }: IR.Func, isNegated: boolean, context: Context): string | undefined {
  const texts = args.map((member) => renderNode(member, isNegated, context));
  const said = texts.filter((text) => text !== undefined);
  const isAll = (name === 'and') !== isNegated;
  if (said.length === 0 || (said.length < texts.length && !isAll)) return undefined;
  args.forEach((member, index) => {
    if (texts[index] === undefined) context.unsaid.push(describe(member));
  });
  return `${isAll ? 'and' : 'or'}(${said.join(',')})`;
}

function renderNull(argument: Expression, isNegated: boolean): string | undefined {
  if (argument.type !== 'ref') return undefined;
  const field = renderField(argument.path, '->>');
  if (!isNegated) return field && `${field}.is.null`;
  // A key that is missing is NULL for the server, and not null for JavaScript.
  return argument.path.length === 1 && field !== undefined ? `${field}.not.is.null` : undefined;
}

interface ColumnComparison {
  readonly operator: Comparison;
  readonly path: readonly string[];
  readonly value: unknown;
}

const FLIPPED: Readonly<Record<string, Comparison>> = { eq: 'eq', gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' };
const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'ilike']);

/** A column or JSON path, and a value, on whatever side. */
function readComparison(expression: Expression): ColumnComparison | undefined {
  if (expression.type !== 'func' || !COMPARISONS.has(expression.name)) return undefined;
  const [left, right] = expression.args;
  if (left?.type === 'ref' && right?.type === 'val')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the set has seen it
    return simplify({ operator: expression.name as Comparison, path: left.path, value: right.value });
  const operator = FLIPPED[expression.name];
  if (operator === undefined || left?.type !== 'val' || right?.type !== 'ref') return undefined;
  return { operator, path: right.path, value: left.value };
}

/** Nothing equals null. A list of one is an equality: for the server, `in.("")` is the empty list. */
function simplify(comparison: ColumnComparison): ColumnComparison {
  if (comparison.operator !== 'in' || !Array.isArray(comparison.value)) return comparison;
  const value: readonly unknown[] = comparison.value.filter((each) => each !== null && each !== undefined);
  return value.length === 1 ? { ...comparison, operator: 'eq', value: value[0] } : { ...comparison, value };
}

/** Returns the text for a given negation. */
function renderComparison(
  { operator, path, value }: ColumnComparison,
  { serialize }: Context,
): ((not: string) => string) | undefined {
  const isPattern = operator === 'like' || operator === 'ilike';
  const field = renderField(path, isPattern ? '->>' : '->');
  const operand = isPattern ? renderPattern(value) : renderOperand(operator, path, value, serialize);
  return field === undefined || operand === undefined ? undefined : (not) => `${field}.${not}${operator}.${operand}`;
}

function renderOperand(operator: Comparison, path: readonly string[], value: unknown, serialize: Serialize) {
  const [column = ''] = path;
  const render = (each: unknown): string | undefined => {
    const text = renderValue(serialize(column, each));
    // `->` gives JSON.
    if (text === undefined || path.length === 1) return text && quote(text);
    return typeof each === 'number' || typeof each === 'boolean' ? quote(text) : quote(JSON.stringify(text));
  };
  if (operator !== 'in') return render(value);
  if (!Array.isArray(value)) return undefined;
  const elements = value.map(render);
  return elements.includes(undefined) ? undefined : `(${elements.join(',')})`;
}

/** The server reads `*` as `%`, and PostgreSQL reads a backslash. */
function renderPattern(value: unknown): string | undefined {
  return typeof value === 'string' && !/[*\\\0]/u.test(value) ? quote(value) : undefined;
}

/** `details->size->>unit` */
function renderField(path: readonly (string | number)[], lastArrow: '->' | '->>'): string | undefined {
  const [column, ...keys] = path.map(String);
  if (column === undefined || column === '' || path.map(String).some((name) => name.includes('\0'))) return undefined;
  const steps = keys.map((key, index) => {
    const arrow = index === keys.length - 1 ? lastArrow : '->';
    return `${arrow}${/^\d+$/u.test(key) ? key : quote(key)}`;
  });
  return quoteName(column) + steps.join('');
}

/** As in code: `upper(title) = 'A'` is `eq(upper(title), "A")`. */
export function describe(expression: Expression): string {
  if (expression.type === 'ref') return expression.path.join('.');
  if (expression.type === 'val') return JSON.stringify(expression.value) ?? 'undefined';
  return `${expression.name}(${expression.args.map(describe).join(', ')})`;
}

// Renders a read model to URL parameters.
import type { Parameters } from '../../support/http-client.ts';
import type { Child, Condition, Group, Level, OrderTerm, Value } from './read-model.ts';

export function printRead(level: Level): Parameters {
  return [['select', printSelect(level)], ...printLevel(level, '')];
}

function printSelect({ columns, aggregates, children }: Level): string {
  return [
    ...columns.map(({ key, column }) => `${key}:${column}`),
    ...aggregates.map(
      ({ key, function: name, column }) => `${key}:${name === 'count()' ? name : `${column}.${name}()`}`,
    ),
    ...children.map(printChild),
  ].join(',');
}

function printChild({ shape, key, link, isInner, level }: Child): string {
  return `${shape === 'spread' ? '...' : `${key}:`}${link.target}${isInner ? '!inner' : ''}(${printSelect(level)})`;
}

/** @param path prefix of the embed: each name followed by a dot */
function printLevel({ conditions, order, limit, offset, children }: Level, path: string): Parameters {
  return [
    ...conditions.map((condition) => printFilter(condition, path)),
    ...(order.length > 0 ? [[`${path}order`, order.map(printOrder).join(',')] as const] : []),
    ...(limit === undefined ? [] : [[`${path}limit`, String(limit)] as const]),
    ...(offset === 0 ? [] : [[`${path}offset`, String(offset)] as const]),
    ...children.flatMap((child) => printLevel(child.level, `${path}${child.name}.`)),
  ];
}

function printFilter(condition: Condition, path: string): readonly [string, string] {
  switch (condition.kind) {
    case 'group':
      return [`${path}${condition.isNegated ? 'not.' : ''}${condition.operator}`, printMembers(condition)];
    case 'presence':
      return [path + condition.child.name, condition.isPresent ? 'not.is.null' : 'is.null'];
    case 'column':
      return [path + condition.column, printOperation(condition, String)];
  }
}

function printMembers({ members }: Group): string {
  return `(${members.map(printMember).join(',')})`;
}

function printMember(condition: Condition): string {
  switch (condition.kind) {
    case 'group':
      return `${condition.isNegated ? 'not.' : ''}${condition.operator}${printMembers(condition)}`;
    case 'presence':
      return `${condition.child.name}.${condition.isPresent ? 'not.is.null' : 'is.null'}`;
    case 'column':
      return `${condition.column}.${printOperation(condition, quote)}`;
  }
}

function printOperation(
  { operator, values, isNegated }: Extract<Condition, { kind: 'column' }>,
  print: (value: Value) => string,
): string {
  const negation = isNegated ? 'not.' : '';
  if (operator === 'in') return `${negation}in.(${values.map(quote).join(',')})`;
  return `${negation}${operator}.${values.map(print).join()}`;
}

function quote(value: Value): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function printOrder({ column, child, direction, nulls }: OrderTerm): string {
  const field = child === undefined ? column : `${child.name}(${column})`;
  return [field, direction, nulls].filter((part) => part !== undefined).join('.');
}

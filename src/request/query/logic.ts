// Parses the value of an `and` or `or` parameter: a tree of conditions and groups (`reading.md` §3.4).
import { parseFieldOrAggregate } from './aggregate.ts';
import { attempt, DELIMITER } from './combinators.ts';
import { makeCondition, parseDelimitedQuoted, parseOperationExpression, parseRawValue } from './operation.ts';
import type { Filter, HavingFilter, LogicGroup, LogicNode } from './query-params.ts';
import type { Scanner } from './scanner.ts';

/** Parses the members of a group and its parentheses. */
export function parseGroupMembers(scanner: Scanner): readonly LogicNode[] | undefined {
  scanner.skipBlanks();
  if (!scanner.take('(') || !scanner.enter('logicDepth')) return undefined;
  const members: LogicNode[] = [];
  do {
    scanner.skipBlanks();
    const member = parseNode(scanner);
    if (member === undefined) return undefined;
    members.push(member);
    scanner.skipBlanks();
  } while (scanner.take(','));
  if (!scanner.take(')')) return undefined;
  scanner.leave();
  scanner.skipBlanks();
  return members;
}

/** Tries a condition first, since its column may be called `order_no` or `not`; a group is never parsed twice. */
function parseNode(scanner: Scanner): LogicNode | undefined {
  return attempt(scanner, parseCondition) ?? parseGroup(scanner);
}

function parseCondition(scanner: Scanner): Filter | HavingFilter | undefined {
  const field = parseFieldOrAggregate(scanner);
  if (field === undefined || !scanner.take('.', DELIMITER)) return undefined;
  const expression = parseOperationExpression(scanner, parseTreeValue);
  if (expression === undefined) return undefined;
  return makeCondition(field, expression);
}

function parseGroup(scanner: Scanner): LogicGroup | undefined {
  const negated = scanner.take('not.', 'negation operator (not)');
  const operator = parseLogicOperator(scanner);
  const members = operator === undefined ? undefined : parseGroupMembers(scanner);
  return operator === undefined || members === undefined ? undefined : { kind: 'group', operator, negated, members };
}

function parseLogicOperator(scanner: Scanner): 'and' | 'or' | undefined {
  const expected = 'logic operator (and, or)';
  if (scanner.take('and', expected)) return 'and';
  return scanner.take('or', expected) ? 'or' : undefined;
}

function parseTreeValue(scanner: Scanner): string {
  return attempt(scanner, parseDelimitedQuoted) ?? attempt(scanner, parseFlatArray) ?? parseRawValue(scanner);
}

/** Parses one array literal without nested braces, including its commas. */
function parseFlatArray(scanner: Scanner): string | undefined {
  const { text, at } = scanner;
  if (!scanner.take('{')) return undefined;
  let end = scanner.at;
  while (end < text.length && text[end] !== '{' && text[end] !== '}') end += 1;
  scanner.advanceTo(end);
  scanner.expect(undefined);
  return scanner.take('}') ? text.slice(at, scanner.at) : undefined;
}

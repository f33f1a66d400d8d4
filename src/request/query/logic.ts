// Parses the value of an `and` or `or` parameter: a tree of conditions and groups (`reading.md` §3.4).
import { parseFieldOrAggregate } from './aggregate.ts';
import { attempt, DELIMITER } from './combinators.ts';
import { parseField } from './field.ts';
import { parseName } from './names.ts';
import { makeCondition, parseDelimitedQuoted, parseOperationExpression, parseRawValue } from './operation.ts';
import type { AggregateTerm, Field, Filter, HavingFilter, LogicGroup, LogicNode, RelatedNode } from './query-params.ts';
import { findFirst, type Scanner } from './scanner.ts';

/** Parses the members of a group and its parentheses. */
export function parseGroupMembers(scanner: Scanner): readonly LogicNode[] | undefined {
  scanner.skipBlanks();
  if (!scanner.take('(') || !scanner.enter('logicDepth')) return undefined;
  const members: LogicNode[] = [];
  do {
    scanner.skipBlanks();
    const member = parseNode(scanner);
    if (member === undefined || !scanner.countTerm()) return undefined;
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
  const condition = attempt(scanner, parseCondition);
  if (condition !== undefined) return condition;
  return scanner.allows('trees') && !isAtGroup(scanner) ? parseRelated(scanner) : parseGroup(scanner);
}

function parseCondition(scanner: Scanner): Filter | HavingFilter | undefined {
  const field = parseFieldOrAggregate(scanner);
  return field && parseComparison(scanner, field);
}

function parseComparison(scanner: Scanner, field: Field | AggregateTerm): Filter | HavingFilter | undefined {
  if (!scanner.take('.', DELIMITER)) return undefined;
  const expression = parseOperationExpression(scanner, parseTreeValue);
  if (expression === undefined) return undefined;
  return makeCondition(field, expression);
}

const GROUP_START = /(?:not\.)?(?:and|or)[ \t]*\(/uy;

/** Whether a group follows, which is then parsed only once. A relation called `and` needs quotes. */
function isAtGroup(scanner: Scanner): boolean {
  GROUP_START.lastIndex = scanner.at;
  return GROUP_START.test(scanner.text);
}

/** Parses `authors!fk.name.eq.x`, `authors(name).eq.x` or `authors.and(…)`, possibly after `not.`. */
function parseRelated(scanner: Scanner): RelatedNode | undefined {
  const negated = scanner.take('not.');
  const target = parseName(scanner);
  const hasHint = target !== undefined && scanner.take('!');
  const hint = hasHint ? parseName(scanner) : undefined;
  if (target === undefined || (hasHint && hint === undefined)) return undefined;
  if (!scanner.enterRelated()) return undefined;
  const member = scanner.take('(')
    ? parseEnclosedField(scanner)
    : scanner.take('.', DELIMITER)
      ? parseNode(scanner)
      : undefined;
  scanner.relatedDepth -= 1;
  return member && { kind: 'related', target, hint, negated, member };
}

function parseEnclosedField(scanner: Scanner): LogicNode | undefined {
  const field = parseField(scanner);
  return field !== undefined && scanner.take(')') ? parseComparison(scanner, field) : undefined;
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

const BRACES = /[{}]/gu;

/** Parses one array literal without nested braces, including its commas. */
function parseFlatArray(scanner: Scanner): string | undefined {
  const { text, at } = scanner;
  if (!scanner.take('{')) return undefined;
  const end = findFirst(text, scanner.at, BRACES);
  scanner.advanceTo(end);
  scanner.expect(undefined);
  return scanner.take('}') ? text.slice(at, scanner.at) : undefined;
}

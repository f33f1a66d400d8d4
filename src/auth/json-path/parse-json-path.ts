// Text of a JSONPath → its parsed form, `undefined` for text outside the grammar of RFC 9535 with the one function
// `search` (`operating.md` §3.6). Every function here reads one production at the scanner's position.
import { parseInteger, parseNumber, parseShorthandName, parseString, Scanner, skipBlanks } from './scanner.ts';
import type { Condition, JsonPath, Operand, Segment, Selector } from './json-path.ts';

/** Filters and parentheses within each other: a limit, so that no text exhausts the stack. */
const MAXIMUM_DEPTH = 32;

const SEGMENT_START = /[ \t\n\r]*(?:\.\.\[|\.\.|\.|\[)/uy;
// `<=` before `<`, its beginning.
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;

const KEYWORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

export function parseJsonPath(text: string): JsonPath | undefined {
  const scanner = new Scanner(text);
  if (!scanner.accept('$')) return undefined;
  const segments = parseSegments(scanner, 0);
  return segments && scanner.isAtEnd ? { root: '$', segments } : undefined;
}

function parseSegments(scanner: Scanner, depth: number): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  for (;;) {
    const start = scanner.match(SEGMENT_START)?.trim();
    if (start === undefined) return segments;
    const style = start.endsWith('[') ? 'brackets' : 'dot';
    const selectors = style === 'brackets' ? parseBrackets(scanner, depth) : parseDotted(scanner);
    if (selectors === undefined) return undefined;
    segments.push({ isDescendant: start.startsWith('..'), style, selectors });
  }
}

function parseDotted(scanner: Scanner): readonly Selector[] | undefined {
  if (scanner.accept('*')) return [{ kind: 'wildcard' }];
  const name = parseShorthandName(scanner);
  return name === undefined ? undefined : [{ kind: 'name', name }];
}

function parseBrackets(scanner: Scanner, depth: number): readonly Selector[] | undefined {
  const selectors: Selector[] = [];
  do {
    skipBlanks(scanner);
    const selector = parseSelector(scanner, depth);
    if (selector === undefined) return undefined;
    selectors.push(selector);
    skipBlanks(scanner);
  } while (scanner.accept(','));
  return scanner.accept(']') ? selectors : undefined;
}

function parseSelector(scanner: Scanner, depth: number): Selector | undefined {
  if (scanner.accept('*')) return { kind: 'wildcard' };
  if (scanner.accept('?')) {
    skipBlanks(scanner);
    const condition = parseOr(scanner, depth + 1);
    return condition && { kind: 'filter', condition };
  }
  const name = parseString(scanner);
  if (name !== undefined) return { kind: 'name', name };
  const index = parseInteger(scanner);
  skipBlanks(scanner);
  if (scanner.accept(':')) return parseSliceRest(scanner, index);
  return index === undefined ? undefined : { kind: 'index', index };
}

function parseSliceRest(scanner: Scanner, start: number | undefined): Selector {
  skipBlanks(scanner);
  const end = parseInteger(scanner);
  skipBlanks(scanner);
  if (!scanner.accept(':')) return { kind: 'slice', start, end, step: undefined };
  skipBlanks(scanner);
  return { kind: 'slice', start, end, step: parseInteger(scanner) };
}

function parseOr(scanner: Scanner, depth: number): Condition | undefined {
  if (depth > MAXIMUM_DEPTH) return undefined;
  const operands = parseOperands(scanner, '||', () => parseAnd(scanner, depth));
  return operands && combine('or', operands);
}

function parseAnd(scanner: Scanner, depth: number): Condition | undefined {
  const operands = parseOperands(scanner, '&&', () => parseBasic(scanner, depth));
  return operands && combine('and', operands);
}

function parseOperands(
  scanner: Scanner,
  separator: string,
  parseOperand: () => Condition | undefined,
): readonly Condition[] | undefined {
  const operands: Condition[] = [];
  do {
    skipBlanks(scanner);
    const operand = parseOperand();
    if (operand === undefined) return undefined;
    operands.push(operand);
    skipBlanks(scanner);
  } while (scanner.accept(separator));
  return operands;
}

function combine(kind: 'or' | 'and', operands: readonly Condition[]): Condition | undefined {
  return operands.length === 1 ? operands[0] : { kind, operands };
}

function parseBasic(scanner: Scanner, depth: number): Condition | undefined {
  if (!scanner.accept('!')) return parseCondition(scanner, depth, true);
  skipBlanks(scanner);
  const operand = parseCondition(scanner, depth, false);
  return operand && { kind: 'not', operand };
}

function parseCondition(scanner: Scanner, depth: number, mayCompare: boolean): Condition | undefined {
  if (scanner.accept('(')) return parseGroupRest(scanner, depth);
  if (scanner.accept('search(')) return parseSearchRest(scanner, depth);
  const operand = parseOperand(scanner, depth);
  if (operand === undefined) return undefined;
  skipBlanks(scanner);
  const operator = mayCompare ? OPERATORS.find((name) => scanner.accept(name)) : undefined;
  if (operator === undefined) return operand.kind === 'literal' ? undefined : { kind: 'exists', path: operand.path };
  const right = parseComparable(scanner, depth);
  return isComparable(operand) && right ? { kind: 'comparison', operator, left: operand, right } : undefined;
}

function parseGroupRest(scanner: Scanner, depth: number): Condition | undefined {
  const operand = parseOr(scanner, depth + 1);
  return operand && scanner.accept(')') ? { kind: 'group', operand } : undefined;
}

function parseSearchRest(scanner: Scanner, depth: number): Condition | undefined {
  const subject = parseComparable(scanner, depth);
  if (subject === undefined || !scanner.accept(',')) return undefined;
  const pattern = parseComparable(scanner, depth);
  return pattern && scanner.accept(')') ? { kind: 'search', subject, pattern } : undefined;
}

function parseComparable(scanner: Scanner, depth: number): Operand | undefined {
  skipBlanks(scanner);
  const operand = parseOperand(scanner, depth);
  skipBlanks(scanner);
  return operand && isComparable(operand) ? operand : undefined;
}

function parseOperand(scanner: Scanner, depth: number): Operand | undefined {
  const root = scanner.accept('@') ? '@' : scanner.accept('$') ? '$' : undefined;
  if (root === undefined) return parseLiteral(scanner);
  const segments = parseSegments(scanner, depth);
  return segments && { kind: 'path', path: { root, segments } };
}

/** RFC 9535 §2.3.5.1: only a path that gives at most one node can be compared. */
function isComparable(operand: Operand): boolean {
  if (operand.kind === 'literal') return true;
  return operand.path.segments.every(({ isDescendant, selectors }) => {
    const [selector] = selectors;
    return !isDescendant && selectors.length === 1 && (selector?.kind === 'name' || selector?.kind === 'index');
  });
}

function parseLiteral(scanner: Scanner): Operand | undefined {
  for (const [keyword, value] of KEYWORDS) {
    if (scanner.accept(keyword)) return { kind: 'literal', value };
  }
  const value = parseString(scanner) ?? parseNumber(scanner);
  return value === undefined ? undefined : { kind: 'literal', value };
}

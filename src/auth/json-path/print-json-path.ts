// A parsed JSONPath → its text in normal form: names and strings in single quotes, blanks only around operators and
// after the comma of `search` (`operating.md` §2.1). Parsing that text gives the same path.
import { assertNever } from '../../contract/result.ts';
import type { Operand, Condition, JsonPath, Segment, Selector } from './json-path.ts';

export function printJsonPath({ root, segments }: JsonPath): string {
  return root + segments.map((segment) => printSegment(segment)).join('');
}

function printSegment({ isDescendant, style, selectors }: Segment): string {
  if (style === 'brackets') {
    return `${isDescendant ? '..' : ''}[${selectors.map((selector) => printSelector(selector)).join(',')}]`;
  }
  const [selector] = selectors;
  return `${isDescendant ? '..' : '.'}${selector?.kind === 'name' ? selector.name : '*'}`;
}

function printSelector(selector: Selector): string {
  switch (selector.kind) {
    case 'name':
      return printString(selector.name);
    case 'wildcard':
      return '*';
    case 'index':
      return String(selector.index);
    case 'slice':
      return `${selector.start ?? ''}:${selector.end ?? ''}${selector.step === undefined ? '' : `:${selector.step}`}`;
    case 'filter':
      return `?${printCondition(selector.condition)}`;
    default:
      return assertNever(selector);
  }
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'or':
      return condition.operands.map((operand) => printCondition(operand)).join(' || ');
    case 'and':
      return condition.operands.map((operand) => printCondition(operand)).join(' && ');
    case 'not':
      return `!${printCondition(condition.operand)}`;
    case 'group':
      return `(${printCondition(condition.operand)})`;
    case 'comparison':
      return `${printOperand(condition.left)} ${condition.operator} ${printOperand(condition.right)}`;
    case 'exists':
      return printJsonPath(condition.path);
    case 'search':
      return `search(${printOperand(condition.subject)}, ${printOperand(condition.pattern)})`;
    default:
      return assertNever(condition);
  }
}

function printOperand(operand: Operand): string {
  if (operand.kind === 'path') return printJsonPath(operand.path);
  return typeof operand.value === 'string' ? printString(operand.value) : String(operand.value);
}

function printString(text: string): string {
  const body = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\\"|'/gu, (part) => (part === "'" ? "\\'" : '"'));
  return `'${body}'`;
}

// Converts the steps of the legacy path language to a JSONPath, which the deprecation warning shows.
import { assertNever } from '../contract/result.ts';
import type { Condition, JsonPath, Operand, Segment } from './json-path/json-path.ts';
import { parseShorthandName } from './json-path/literals.ts';
import type { PathStep } from './path-dsl.ts';
import { Scanner } from './json-path/scanner.ts';

const ELEMENT: Operand = { kind: 'path', path: { root: '@', segments: [] } };

/** Finds the same values in objects and in arrays of strings. */
export function toJsonPath(steps: readonly PathStep[]): JsonPath {
  return { root: '$', segments: steps.map(toSegment) };
}

function toSegment(step: PathStep): Segment {
  switch (step.kind) {
    case 'key': {
      const style = isShorthandName(step.name) ? 'dot' : 'brackets';
      return { isDescendant: false, style, selectors: [{ kind: 'name', name: step.name }] };
    }
    case 'index':
      return { isDescendant: false, style: 'brackets', selectors: [step] };
    case 'filter':
      return {
        isDescendant: false,
        style: 'brackets',
        selectors: [{ kind: 'filter', condition: toCondition(step) }],
      };
    default:
      return assertNever(step);
  }
}

function toCondition({ operator, text }: Extract<PathStep, { readonly kind: 'filter' }>): Condition {
  const pattern = text.replaceAll(/[\\^$.|?*+()[\]{}]/gu, String.raw`\$&`);
  switch (operator) {
    case '==':
    case '!=':
      return { kind: 'comparison', operator, left: ELEMENT, right: { kind: 'literal', value: text } };
    case '^==':
      return search(`^${pattern}`);
    case '==^':
      return search(`${pattern}$`);
    case '*==':
      return search(pattern);
    default:
      return assertNever(operator);
  }
}

function search(pattern: string): Condition {
  return { kind: 'search', subject: ELEMENT, pattern: { kind: 'literal', value: pattern } };
}

function isShorthandName(name: string): boolean {
  return parseShorthandName(new Scanner(name)) === name;
}

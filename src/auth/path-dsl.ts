// The legacy form of `jwt-role-claim-key`, `.a."b c"[0][?(@ ^== "x")]`: parses it, follows it into claims and prints it
// (`operating.md` §3.6).
import { assertNever } from '../contract/result.ts';
import { isJsonObject } from '../util/json-object.ts';
import { Scanner } from './json-path/scanner.ts';

type FilterOperator = '==' | '!=' | '^==' | '==^' | '*==';

const FILTERS: Readonly<Record<FilterOperator, (element: string, text: string) => boolean>> = {
  '==': (element, text) => element === text,
  '!=': (element, text) => element !== text,
  '^==': (element, text) => element.startsWith(text),
  '==^': (element, text) => element.endsWith(text),
  '*==': (element, text) => element.includes(text),
};

// `==^` must precede `==`, which is a prefix of it.
const OPERATORS = ['==^', '^==', '*==', '==', '!='] as const;

export type PathStep =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** The first string in an array that satisfies the operator. */
  | { readonly kind: 'filter'; readonly operator: FilterOperator; readonly text: string };

const NAME = /[\p{L}\p{N}_$@]+/uy;
const QUOTED = /"[^"]*"/uy;
const DIGITS = /[0-9]+/uy;
const BLANKS = /[ \t]*/uy;

/** Returns `undefined` for text outside the grammar. */
export function parsePathDsl(text: string): readonly PathStep[] | undefined {
  const scanner = new Scanner(text);
  const steps: PathStep[] = [];
  while (!scanner.isAtEnd) {
    const step = parseStep(scanner);
    if (step === undefined) return undefined;
    if (step.kind === 'filter' && !scanner.isAtEnd) return undefined;
    steps.push(step);
  }
  return steps.length === 0 ? undefined : steps;
}

function parseStep(scanner: Scanner): PathStep | undefined {
  if (scanner.accept('.')) {
    const name = scanner.match(NAME) ?? parseQuoted(scanner);
    return name === undefined ? undefined : { kind: 'key', name };
  }
  if (scanner.accept('[?(@')) return parseFilterRest(scanner);
  if (!scanner.accept('[')) return undefined;
  const index = Number(scanner.match(DIGITS));
  return scanner.accept(']') && Number.isSafeInteger(index) ? { kind: 'index', index } : undefined;
}

function parseFilterRest(scanner: Scanner): PathStep | undefined {
  scanner.match(BLANKS);
  const operator = OPERATORS.find((name) => scanner.accept(name));
  scanner.match(BLANKS);
  const text = parseQuoted(scanner);
  if (operator === undefined || text === undefined || !scanner.accept(')]')) return undefined;
  return { kind: 'filter', operator, text };
}

function parseQuoted(scanner: Scanner): string | undefined {
  return scanner.match(QUOTED)?.slice(1, -1);
}

/** Returns `undefined` if a step does not apply to the value it reaches. */
export function followPath(steps: readonly PathStep[], claims: unknown): unknown {
  let value = claims;
  for (const step of steps) value = followStep(step, value);
  return value;
}

function followStep(step: PathStep, value: unknown): unknown {
  if (step.kind === 'key') {
    return isJsonObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const elements: readonly unknown[] = value;
  if (step.kind === 'index') return elements[step.index];
  return elements.find((element) => typeof element === 'string' && FILTERS[step.operator](element, step.text));
}

export function printPathDsl(steps: readonly PathStep[]): string {
  return steps.map((step) => printStep(step)).join('');
}

function printStep(step: PathStep): string {
  switch (step.kind) {
    case 'key':
      return `."${step.name}"`;
    case 'index':
      return `[${step.index}]`;
    case 'filter':
      return `[?(@ ${step.operator} "${step.text}")]`;
    default:
      return assertNever(step);
  }
}

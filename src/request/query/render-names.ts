// Renders names of the query grammar, in double quotes if needed.
import type { Field, JsonStep } from './query-params.ts';

const BARE = /^[\p{L}\w$]+(?: +[\p{L}\w$]+)*(?:-[\p{L}\w$]+(?: +[\p{L}\w$]+)*)*$/u;
const INDEX = /^\d+$/u;

/** Words with a special meaning at the start of a parameter or condition. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'select',
  'columns',
  'on_conflict',
  'order',
  'limit',
  'offset',
  'and',
  'or',
  'not',
]);

export function quoteText(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}

export function renderName(name: string): string {
  return BARE.test(name) ? name : quoteText(name);
}

/** Renders a path as prefix: `boats.` for `['boats']`, `''` for the top level. */
export function renderPath(path: readonly string[]): string {
  return path.map((name) => `${renderName(name)}.`).join('');
}

/** Renders the name after `!`, where `inner` and `left` must be quoted. */
export function renderHint(name: string): string {
  return name === 'inner' || name === 'left' ? quoteText(name) : renderName(name);
}

export function renderField({ column, path }: Field): string {
  return renderName(column) + renderSteps(path);
}

/** Renders a field for a parameter name or the start of a condition. */
export function renderFilterField({ column, path }: Field): string {
  return (KEYWORDS.has(column) ? quoteText(column) : renderName(column)) + renderSteps(path);
}

function renderSteps(path: readonly JsonStep[]): string {
  return path.map(({ arrow, operand }) => arrow + renderOperand(operand)).join('');
}

function renderOperand(operand: JsonStep['operand']): string {
  if (operand.kind === 'index') return operand.digits;
  return INDEX.test(operand.name) ? quoteText(operand.name) : renderName(operand.name);
}

// Names as the query grammar has them: bare where they read back as they are, else between double quotes.
import type { Field, JsonStep } from '../../../src/request/query/query-params.ts';

const BARE = /^[\p{L}\w$]+(?: +[\p{L}\w$]+)*(?:-[\p{L}\w$]+(?: +[\p{L}\w$]+)*)*$/u;
const INDEX = /^\d+$/u;

/** Words that mean something else where a parameter or a condition begins with them. */
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

/** `boats.` for `['boats']`, `''` for the top. */
export function renderPath(path: readonly string[]): string {
  return path.map((name) => `${renderName(name)}.`).join('');
}

/** The name behind `!`, where `inner` and `left` are no names. */
export function renderHint(name: string): string {
  return name === 'inner' || name === 'left' ? quoteText(name) : renderName(name);
}

export function renderField({ column, path }: Field): string {
  return renderName(column) + renderSteps(path);
}

/** As it stands in the name of a parameter, or at the start of a condition. */
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

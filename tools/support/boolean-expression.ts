// Looks into conditions as PostgreSQL prints them (`pg_get_expr`, `pg_get_constraintdef`): AND, OR, NOT and comparisons. It
// knows quoting and parentheses; everything else is a term, which it compares as text.
import { skipQuoting } from '../../src/util/skip-quoting.ts';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'comparison'; readonly left: string; readonly operator: string; readonly right: string }
  | { readonly kind: 'term'; readonly text: string };

/** PostgreSQL prints parentheses around each operation. */
export function readCondition(text: string): Condition {
  const inner = stripParentheses(text);
  for (const kind of ['or', 'and'] as const) {
    const parts = splitOutside(inner, new RegExp(`^\\s${kind}\\s`, 'iu'));
    if (parts.length > 1) return { kind, parts: parts.map(readCondition) };
  }
  const negated = /^not\s+(?<rest>.*)$/isu.exec(inner)?.groups?.['rest'];
  if (negated !== undefined) return { kind: 'not', part: readCondition(negated) };
  const operator = OPERATORS.find((each) => splitOutside(inner, each.pattern).length === 2);
  if (operator === undefined) return { kind: 'term', text: inner };
  const [left = '', right = ''] = splitOutside(inner, operator.pattern).map(stripParentheses);
  return { kind: 'comparison', left, operator: operator.name, right };
}

const OPERATORS = ['<>', '<=', '>=', '=', '<', '>'].map((name) => ({
  name,
  pattern: new RegExp(`^\\s${name}\\s`, 'u'),
}));

/** Removes the parentheses around the whole text. */
export function stripParentheses(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('(') && findClosing(trimmed) === trimmed.length
    ? stripParentheses(trimmed.slice(1, -1))
    : trimmed;
}

/** Returns the position behind the parenthesis that closes the first one. */
export function findClosing(text: string): number {
  let end = text.length;
  walk(text, (at, depth) => {
    if (depth === 0 && at < end) end = at;
  });
  return end;
}

/** Splits outside of parentheses and quotes. @param separator matches at the start of what follows */
export function splitOutside(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  walk(text, (at, depth) => {
    if (depth > 0 || at < start) return;
    const found = separator.exec(text.slice(at, at + SEPARATOR_LENGTH))?.[0];
    if (found === undefined) return;
    parts.push(text.slice(start, at));
    start = at + found.length;
  });
  return [...parts, text.slice(start)];
}

const SEPARATOR_LENGTH = 8;

/** Visits each position that is not quoted, with the number of parentheses that are open there. */
function walk(text: string, visit: (at: number, depth: number) => void): void {
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const isInWord = at > 0 && /[\w$]/u.test(text.charAt(at - 1));
    const quoted = isInWord ? undefined : skipQuoting(text, at);
    if (quoted !== undefined) {
      at = quoted.end;
      continue;
    }
    const character = text.charAt(at);
    if (character === '(' || character === '[') depth += 1;
    visit(at, depth);
    if (character === ')' || character === ']') depth -= 1;
    at += 1;
    if (depth === 0 && (character === ')' || character === ']')) visit(at, 0);
  }
}

/** The value of a number or of a text, with or without a cast: `1`, `(0)::numeric`, `'a'::text`. */
export function readConstant(text: string): number | string | undefined {
  const bare = stripParentheses(text.replace(/::[\w ."]+(?:\([\d, ]*\))?(?:\[\])?$/u, ''));
  if (/^-?\d+(?:\.\d+)?$/u.test(bare)) return Number(bare);
  const quoted = /^'(?<value>(?:[^']|'')*)'$/u.exec(bare)?.groups?.['value'];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  return bare === text ? undefined : readConstant(bare);
}

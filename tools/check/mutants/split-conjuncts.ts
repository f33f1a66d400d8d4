// Splits an expression of a policy at its outermost AND.
import { skipQuoting } from '../../../src/util/skip-quoting.ts';
import { skipParentheses } from '../lints/policy-expressions.ts';

const AND = ' AND ';

/**
 * @param expression as `pg_get_expr` prints it, with parentheses around each AND: `((a = 1) AND b)`
 * @returns the expression itself if it has no outermost AND
 */
export function splitConjuncts(expression: string): readonly string[] {
  if (!expression.startsWith('(') || skipParentheses(expression, 0) !== expression.length) return [expression];
  const inner = expression.slice(1, -1);
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < inner.length;) {
    if (inner.startsWith(AND, at)) {
      parts.push(inner.slice(start, at));
      at += AND.length;
      start = at;
    } else if (inner.charAt(at) === '(') {
      at = skipParentheses(inner, at);
    } else {
      const isWord = at > 0 && /[\w$]/u.test(inner.charAt(at - 1));
      at = (isWord ? undefined : skipQuoting(inner, at)?.end) ?? at + 1;
    }
  }
  return parts.length === 0 ? [expression] : [...parts, inner.slice(start)];
}

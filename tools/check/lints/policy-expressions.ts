// Looks into the expressions of policies, as `pg_get_expr` prints them. Does not parse SQL: it only knows quoting and
// parentheses.
import { skipQuoting } from '../../../src/util/skip-quoting.ts';

const SUBSELECT = /^\(\s*SELECT\b/iu;
const SETTING = /^current_setting\(/u;

/**
 * Finds calls whose result cannot depend on the row, outside of subselects.
 *
 * @param functions names of stable functions without parameters that the policy calls
 * @returns the calls as printed: `current_setting('request.jwt.claims'::text, true)`
 */
export function findCallsPerRow(expressions: string, functions: readonly string[]): readonly string[] {
  const calls = new Set<string>();
  for (let at = 0; at < expressions.length;) {
    const isWord = at > 0 && /[\w$"]/u.test(expressions.charAt(at - 1));
    const quoted = isWord ? undefined : skipQuoting(expressions, at);
    const rest = expressions.slice(at);
    if (quoted !== undefined) {
      at = quoted.end;
    } else if (SUBSELECT.test(rest)) {
      at = skipParentheses(expressions, at);
    } else if (!isWord && SETTING.test(rest)) {
      const end = skipParentheses(expressions, at + 'current_setting'.length);
      calls.add(expressions.slice(at, end));
      at = end;
    } else {
      const called = isWord ? undefined : functions.find((name) => rest.startsWith(`${name}()`));
      if (called !== undefined) calls.add(`${called}()`);
      at += 1;
    }
  }
  return [...calls];
}

/** @param start of the opening parenthesis. @returns the end behind the closing one */
function skipParentheses(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const quoted = at > start && /\w/u.test(text.charAt(at - 1)) ? undefined : skipQuoting(text, at);
    if (quoted !== undefined) {
      at = quoted.end;
      continue;
    }
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}

// Looks into the expressions of policies, as `pg_get_expr` prints them. Does not parse SQL: it only knows quoting and
// parentheses.
import { skipQuoting } from '../../../src/util/skip-quoting.ts';
import { type Condition, findClosing, readCondition, readConstant } from '../../support/boolean-expression.ts';

const SUBSELECT = /^\(\s*SELECT\b/iu;
const SETTING = /^current_setting\(/u;
const CALL_LENGTH = 'current_setting'.length;

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
      at += findClosing(rest);
    } else if (!isWord && SETTING.test(rest)) {
      const call = rest.slice(0, CALL_LENGTH + findClosing(rest.slice(CALL_LENGTH)));
      calls.add(call);
      at += call.length;
    } else {
      const called = isWord ? undefined : functions.find((name) => rest.startsWith(`${name}()`));
      if (called !== undefined) calls.add(`${called}()`);
      at += 1;
    }
  }
  return [...calls];
}

/** Whether a condition is true without looking at a row: `true`, `1 = 1`, `true OR owner = …`. */
export function isAlwaysTrue(condition: string): boolean {
  return evaluate(readCondition(condition)) === true;
}

/** @returns undefined if it depends on something */
function evaluate(condition: Condition): boolean | undefined {
  switch (condition.kind) {
    case 'term':
      return /^(?:true|false)(?:::boolean)?$/iu.test(condition.text) ? /^true/iu.test(condition.text) : undefined;
    case 'not': {
      const value = evaluate(condition.part);
      return value === undefined ? undefined : !value;
    }
    case 'or':
    case 'and': {
      const decisive = condition.kind === 'or';
      const values = new Set(condition.parts.map(evaluate));
      if (values.has(decisive)) return decisive;
      return values.has(undefined) ? undefined : !decisive;
    }
    case 'comparison':
      return evaluateComparison(condition);
  }
}

function evaluateComparison({
  left,
  operator,
  right,
}: Extract<Condition, { readonly kind: 'comparison' }>): boolean | undefined {
  const [a, b] = [readConstant(left), readConstant(right)];
  if (a === undefined || b === undefined || typeof a !== typeof b) return undefined;
  if (operator === '=' || operator === '<>') return (a === b) === (operator === '=');
  // The order of texts depends on their collation.
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  const isEqual = a === b && operator.endsWith('=');
  return isEqual || (operator.startsWith('<') ? a < b : a > b);
}

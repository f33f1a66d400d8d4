// A policy that is `true` permits every row: for a write, or for a read of a table with personal data.
import { type Condition, readCondition, readConstant } from '../../support/boolean-expression.ts';
import { APPLIES, type Lint, type Row, textOf } from './lint.ts';

/** Names of columns that look personal. */
const PERSONAL =
  '(^|_)(email|phone|mobile|birthday|birth_date|date_of_birth|address|street|ssn|tax_id|iban|salary|first_name|last_name|full_name|ip|ip_address)$';

/** An INSERT has only a check; other writes first find a row. */
export const POLICY_ALWAYS_TRUE: Lint = {
  name: 'policy-always-true',
  level: 'warning',
  query: `
SELECT policy.object, policy.name, may.role, policy.qual, coalesce(policy.checked, policy.qual) AS checked,
  policy.command IN ('a', '*') AND may.insert AS inserts,
  (policy.command IN ('w', '*') AND may.update) OR (policy.command IN ('d', '*') AND may.delete) AS changes,
  policy.command IN ('r', '*') AND may.read AS reads, personal.columns
FROM policy JOIN may ON may.oid = policy.relation AND ${APPLIES}
JOIN relation ON relation.oid = policy.relation AND relation.relrowsecurity
CROSS JOIN LATERAL (
  SELECT (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(attribute.attname), ', ' ORDER BY attribute.attnum)
     FROM pg_catalog.pg_attribute AS attribute
     WHERE attribute.attrelid = policy.relation AND attribute.attnum > 0 AND NOT attribute.attisdropped
       AND attribute.attname ~ '${PERSONAL}'
       AND pg_catalog.has_column_privilege(may.role_oid, policy.relation, attribute.attnum, 'SELECT')) AS columns
) AS personal
WHERE policy.is_permissive`,
  read: (row) => {
    const effect = describeEffect(row);
    if (effect === undefined) return [];
    return [
      {
        object: textOf(row, 'object'),
        role: textOf(row, 'role'),
        place: { kind: 'policy', table: textOf(row, 'object'), name: textOf(row, 'name') },
        message: `The policy ${textOf(row, 'name')} is always true: ${effect}.`,
        fix: null,
      },
    ];
  },
};

function describeEffect(row: Row): string | undefined {
  const [sees, accepts] = ['qual', 'checked'].map((name) => isAlwaysTrue(readCondition(textOf(row, name))));
  if ((accepts === true && row['inserts'] === true) || (sees === true && row['changes'] === true))
    return 'every row of the table can be written';
  const columns = textOf(row, 'columns');
  return sees === true && row['reads'] === true && columns !== ''
    ? `every row can be read, with ${columns}`
    : undefined;
}

/** Whether a condition is true without looking at a row: `true`, `1 = 1`, `true OR owner = …`. */
function isAlwaysTrue(condition: Condition): boolean {
  return evaluate(condition) === true;
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

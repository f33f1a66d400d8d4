// A policy of a distributed table whose condition has no equality with the distribution column: what it permits is on all
// shards.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { DISTRIBUTED } from './distributed-tables.ts';
import { type Lint, textOf } from './lint.ts';

export const POLICY_OVER_ALL_SHARDS: Lint = {
  name: 'policy-over-all-shards',
  level: 'warning',
  query: `${DISTRIBUTED}
SELECT policy.object, policy.name, policy.qual, pg_catalog.quote_ident(attribute.attname) AS column
FROM policy
JOIN relation ON relation.oid = policy.relation AND relation.relrowsecurity
JOIN distributed ON distributed.oid = policy.relation
JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = policy.relation AND attribute.attnum = distributed.attnum
WHERE policy.is_permissive AND policy.command <> 'a'
ORDER BY policy.object, policy.name`,
  read: (row) => {
    const [column, name] = [textOf(row, 'column'), textOf(row, 'name')];
    if (limitsColumn(textOf(row, 'qual'), column)) return [];
    return [
      {
        object: textOf(row, 'object'),
        role: null,
        place: { kind: 'policy', table: textOf(row, 'object'), name },
        message: `The policy ${name} has no condition ${column} = …, so every shard is asked for the rows that it permits.`,
        fix: `-- In the policy ${escapeLine(name)} add the condition that ${column} equals the tenant of the request.`,
      },
    ];
  },
};

/** @param condition as `pg_get_expr` prints it */
function limitsColumn(condition: string, column: string): boolean {
  const sides = condition.split(/ (?:OR|AND) /u);
  const isLimited = sides.some((side) => side.includes(`(${column} = `) || side.endsWith(` = ${column})`));
  return isLimited && !condition.includes(' OR ');
}

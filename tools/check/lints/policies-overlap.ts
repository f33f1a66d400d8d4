// Several permissive policies for one action: each of them is evaluated, and any of them suffices.
import { APPLIES, type Lint, textOf } from './lint.ts';

export const POLICIES_OVERLAP: Lint = {
  name: 'policies-overlap',
  level: 'note',
  query: `, action(letter, name, place) AS (
  VALUES ('r', 'select', 1), ('a', 'insert', 2), ('w', 'update', 3), ('d', 'delete', 4)
), overlap AS (
  SELECT policy.object, may.role, action.name AS action, action.place,
    pg_catalog.string_agg(policy.name, ', ' ORDER BY policy.name) AS names
  FROM policy JOIN may ON may.oid = policy.relation AND ${APPLIES}
  JOIN relation ON relation.oid = policy.relation AND relation.relrowsecurity
  JOIN action ON policy.command IN ('*', action.letter::"char")
    AND CASE action.letter WHEN 'r' THEN may.read WHEN 'a' THEN may.insert WHEN 'w' THEN may.update ELSE may.delete END
  WHERE policy.is_permissive
  GROUP BY 1, 2, 3, 4
  HAVING pg_catalog.count(*) > 1
)
SELECT object, role, names, pg_catalog.string_agg(action, ', ' ORDER BY place) AS actions
FROM overlap GROUP BY object, role, names ORDER BY pg_catalog.min(place)`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: `Several permissive policies apply to ${textOf(row, 'actions')}: ${textOf(row, 'names')}. A row that one of them permits is permitted, and all of them are evaluated.`,
      fix: null,
    },
  ],
};

// What roles can read and write that they should not, or cannot although they should: privileges, policies and views.
import { isInvoker } from '../../access/policies/catalog-terms.ts';
import { findCallsPerRow, isAlwaysTrue } from './policy-expressions.ts';
import { type Lint, type Row, textOf } from './lint.ts';

/** Names of columns that look personal. */
const PERSONAL =
  '(^|_)(email|phone|mobile|birthday|birth_date|date_of_birth|address|street|ssn|tax_id|iban|salary|first_name|last_name|full_name|ip|ip_address)$';

const SECRET = '(^|_)(password|passwd|secret|token|api_key|private_key|hash)$';

export const ACCESS_LINTS: readonly Lint[] = [
  {
    name: 'rls-off',
    level: 'warning',
    probe: 'writes',
    query: `
SELECT relation.object, may.role
FROM relation JOIN may ON may.oid = relation.oid
WHERE relation.kind IN ('r', 'p') AND NOT relation.relrowsecurity AND may.write`,
    message: 'The role may write the table, which has no row-level security: it can write every row.',
    fix: 'ALTER TABLE {object} ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY for the rows that each role may see and write.',
  },
  {
    // Roles that bypass row-level security, and owners whom it is not forced upon, need no policy.
    name: 'rls-without-policy',
    level: 'warning',
    query: `
SELECT relation.object, may.role
FROM relation JOIN may ON may.oid = relation.oid AND may.use
JOIN role ON role.oid = may.role_oid AND NOT role.rolbypassrls
WHERE relation.relrowsecurity
  AND (relation.relforcerowsecurity OR NOT pg_catalog.pg_has_role(may.role_oid, relation.owner, 'USAGE'))
  AND NOT EXISTS (SELECT FROM policy WHERE policy.relation = relation.oid AND policy.is_permissive)`,
    message: 'Row-level security is on, but no policy permits a row: the privileges of the role have no effect.',
    fix: 'CREATE POLICY rows_of_the_role ON {object} USING (false);\n-- Replace false by the condition for the rows that each role may see and write.',
  },
  {
    name: 'policy-always-true',
    level: 'warning',
    probe: 'writes',
    query: `
SELECT policy.object, policy.policy, policy.role, policy.qual, coalesce(policy.checked, policy.qual) AS checked,
  policy.command IN ('a', '*') AND policy.insert AS inserts,
  (policy.command IN ('w', '*') AND policy.update) OR (policy.command IN ('d', '*') AND policy.delete) AS changes,
  policy.command IN ('r', '*') AND policy.read AS reads,
  (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(attribute.attname), ', ' ORDER BY attribute.attnum)
   FROM pg_catalog.pg_attribute AS attribute
   WHERE attribute.attrelid = policy.relation AND attribute.attnum > 0 AND NOT attribute.attisdropped
     AND attribute.attname ~ '${PERSONAL}'
     AND pg_catalog.has_column_privilege(policy.role_oid, policy.relation, attribute.attnum, 'SELECT')) AS columns
FROM applied_policy AS policy
WHERE policy.is_permissive`,
    decide: (row) => {
      const effect = findEffect(row);
      return effect === undefined ? undefined : { ...row, effect };
    },
    message: 'The policy {policy} is always true: {effect}.',
  },
  {
    name: 'policies-overlap',
    level: 'note',
    query: `, action(letter, name, place) AS (
  VALUES ('r', 'select', 1), ('a', 'insert', 2), ('w', 'update', 3), ('d', 'delete', 4)
), overlap AS (
  SELECT policy.object, policy.role, action.name AS action, action.place,
    pg_catalog.string_agg(policy.policy, ', ' ORDER BY policy.policy) AS names
  FROM applied_policy AS policy
  JOIN action ON policy.command IN ('*', action.letter::"char") AND CASE action.letter
    WHEN 'r' THEN policy.read WHEN 'a' THEN policy.insert WHEN 'w' THEN policy.update ELSE policy.delete END
  WHERE policy.is_permissive
  GROUP BY 1, 2, 3, 4
  HAVING pg_catalog.count(*) > 1
)
SELECT object, role, names, pg_catalog.string_agg(action, ', ' ORDER BY place) AS actions
FROM overlap GROUP BY object, role, names ORDER BY pg_catalog.min(place)`,
    message:
      'Several permissive policies apply to {actions}: {names}. A row that one of them permits is permitted, and all of them are evaluated.',
  },
  {
    // Citus takes no policy that contains a subselect.
    name: 'policy-per-row',
    level: 'warning',
    query: `
SELECT policy.object, policy.policy, pg_catalog.concat_ws(E'\\n', policy.qual, policy.checked) AS expressions,
  (SELECT pg_catalog.string_agg(call.proname, E'\\n') FROM policy_call AS call
   WHERE call.policy = policy.oid AND call.provolatile = 's' AND call.pronargs = 0) AS functions
FROM policy
WHERE policy.relation NOT IN (SELECT oid FROM distributed)`,
    decide: (row) => {
      const functions = textOf(row, 'functions').split('\n').filter(Boolean);
      const [call] = findCallsPerRow(textOf(row, 'expressions'), functions);
      return call === undefined ? undefined : { ...row, call };
    },
    message:
      'The policy {policy} evaluates {call} for each row. In a subselect it is evaluated once for each statement.',
    fix: '-- In the policy {policy} write (select {call}) instead of {call}.',
  },
  {
    // Also looks into functions that the policy calls.
    name: 'policy-trusts-client',
    level: 'warning',
    query: `
SELECT policy.object, policy.policy, trusted.what
FROM policy
CROSS JOIN LATERAL (
  SELECT pg_catalog.concat_ws(' ', policy.qual, policy.checked, (
    SELECT pg_catalog.string_agg(coalesce(call.prosrc, '') || coalesce(pg_catalog.pg_get_function_sqlbody(call.oid), ''), ' ')
    FROM policy_call AS call WHERE call.policy = policy.oid AND call.oid >= 16384)) AS text
) AS read
CROSS JOIN LATERAL (
  SELECT pg_catalog.string_agg(pattern.what, ' and ' ORDER BY pattern.what) AS what
  FROM (VALUES ('request headers', 'request[.]headers'), ('cookies', 'request[.]cookies'),
    ('metadata that users can edit', '(^|[^[:alnum:]_-])user_metadata($|[^[:alnum:]_-])')) AS pattern(what, part)
  WHERE read.text ~ pattern.part
) AS trusted
WHERE trusted.what IS NOT NULL`,
    message: 'The policy {policy} depends on {what}, which a client can set to any value.',
  },
  {
    // The view that names the table decides who reads it, even below others. `security_invoker` exists since PostgreSQL
    // 15; a materialized view never has it.
    name: 'view-bypasses-policies',
    level: 'warning',
    probe: 'writes',
    query: `, below(root, view) AS (
  SELECT oid, oid FROM relation WHERE kind = 'v'
  UNION
  SELECT below.root, uses.relation
  FROM below JOIN uses ON uses.view = below.view
  JOIN any_relation ON any_relation.oid = uses.relation AND any_relation.kind IN ('v', 'm')
)
SELECT relation.object, may.role, reader.object AS reader,
  pg_catalog.string_agg(DISTINCT guarded.object, ', ') || CASE WHEN reader.oid = relation.oid THEN ' as its owner'
    ELSE pg_catalog.concat(' through ', reader.object, ', as the owner of that') END AS way,
  CASE WHEN reader.kind = 'm' THEN 'materialized'
    WHEN pg_catalog.current_setting('server_version_num')::integer >= 150000 THEN 'invoker'
    ELSE 'function' END AS variant
FROM relation
JOIN may ON may.oid = relation.oid AND may.use
JOIN below ON below.root = relation.oid
JOIN any_relation AS reader ON reader.oid = below.view
JOIN uses ON uses.view = reader.oid
JOIN guarded ON guarded.oid = uses.relation
JOIN pg_catalog.pg_roles AS owner ON owner.oid = reader.owner
WHERE NOT ${isInvoker('reader')}
  AND (owner.rolsuper OR owner.rolbypassrls
    OR (NOT guarded.relforcerowsecurity AND pg_catalog.pg_has_role(reader.owner, guarded.owner, 'USAGE')))
GROUP BY relation.oid, relation.object, may.role, reader.oid, reader.kind, reader.object
ORDER BY relation.object, reader.object`,
    message:
      'The view reads {way}, so that the policies do not restrict the role. If it is meant to show their rows, write -- rowhouse: allow view-bypasses-policies REASON above its statement.',
    fix: {
      invoker: 'ALTER VIEW {reader} SET (security_invoker = true);',
      materialized: '-- Keep only rows in {reader} that everybody may see who may read the view.',
      function:
        '-- Views that read as the caller require PostgreSQL 15. Use a function without SECURITY DEFINER instead.',
    },
  },
  {
    name: 'materialized-view-exposed',
    level: 'warning',
    probe: 'reads',
    query: `
SELECT relation.object, may.role, may.quoted_role, pg_catalog.string_agg(DISTINCT guarded.object, ', ') AS tables
FROM relation
JOIN may ON may.oid = relation.oid AND may.read
JOIN reads ON reads.view = relation.oid
JOIN guarded ON guarded.oid = reads.relation
WHERE relation.kind = 'm'
GROUP BY 1, 2, 3`,
    message: 'The materialized view holds rows of {tables}, whose policies do not apply to it.',
    fix: 'REVOKE SELECT ON {object} FROM {quoted_role};',
  },
  {
    name: 'secret-readable',
    level: 'warning',
    probe: 'reads',
    query: `
SELECT relation.object, may.role, may.quoted_role, pg_catalog.quote_ident(attribute.attname) AS column,
  CASE WHEN relation.kind IN ('v', 'm') THEN 'view' ELSE 'table' END AS variant
FROM relation
JOIN may ON may.oid = relation.oid
JOIN pg_catalog.pg_attribute AS attribute
  ON attribute.attrelid = relation.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
JOIN pg_catalog.pg_type AS type ON type.oid = attribute.atttypid
WHERE attribute.attname ~ '${SECRET}'
  AND (type.typcategory = 'S' OR type.oid = 'bytea'::pg_catalog.regtype
    OR type.typbasetype = 'bytea'::pg_catalog.regtype)
  AND pg_catalog.has_column_privilege(may.role_oid, relation.oid, attribute.attnum, 'SELECT')
ORDER BY attribute.attnum`,
    message: 'The role may read the column {column}, which looks like a secret.',
    fix: {
      view: '-- Leave the column {column} out of the view.',
      table:
        'REVOKE SELECT ON {object} FROM {quoted_role};\n-- Then GRANT SELECT (…) on the columns that the role may read.',
    },
  },
];

/** An INSERT has only a check; other writes first find a row. */
function findEffect(row: Row): string | undefined {
  const [sees, accepts] = ['qual', 'checked'].map((name) => isAlwaysTrue(textOf(row, name)));
  if ((accepts === true && row['inserts'] === true) || (sees === true && row['changes'] === true))
    return 'every row of the table can be written';
  const columns = textOf(row, 'columns');
  return sees === true && row['reads'] === true && columns !== ''
    ? `every row can be read, with ${columns}`
    : undefined;
}

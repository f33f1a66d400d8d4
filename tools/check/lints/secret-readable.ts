// A web role may read a column whose name says that it holds a secret.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { type Lint, textOf } from './lint.ts';

const SECRET = '(^|_)(password|passwd|secret|token|api_key|private_key|hash)$';

export const SECRET_READABLE: Lint = {
  name: 'secret-readable',
  level: 'warning',
  query: `
SELECT relation.object, may.role, pg_catalog.quote_ident(attribute.attname) AS column,
  relation.kind IN ('v', 'm') AS is_view
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
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: `The role may read the column ${textOf(row, 'column')}, which looks like a secret.`,
      fix:
        row['is_view'] === true
          ? `-- Leave the column ${escapeLine(textOf(row, 'column'))} out of the view.`
          : `REVOKE SELECT ON ${textOf(row, 'object')} FROM ${textOf(row, 'role')};\n-- Then GRANT SELECT (…) on the columns that the role may read.`,
    },
  ],
};

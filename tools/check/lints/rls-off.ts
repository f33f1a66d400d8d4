// A web role may write a table without row-level security, and so every row of it.
import { type Lint, textOf } from './lint.ts';

export const RLS_OFF: Lint = {
  name: 'rls-off',
  level: 'warning',
  query: `
SELECT relation.object, may.role
FROM relation JOIN may ON may.oid = relation.oid
WHERE relation.kind IN ('r', 'p') AND NOT relation.relrowsecurity AND (may.insert OR may.update OR may.delete)`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: 'The role may write the table, which has no row-level security: it can write every row.',
      fix: `ALTER TABLE ${textOf(row, 'object')} ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY for the rows that each role may see and write.`,
    },
  ],
};

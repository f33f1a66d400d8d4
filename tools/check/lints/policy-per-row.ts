// A policy calls a function for each row although the result is the same for all rows of a statement. Citus takes no policy
// that contains a subselect.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { DISTRIBUTED } from './distributed-tables.ts';
import { type Lint, textOf } from './lint.ts';
import { findCallsPerRow } from './policy-expressions.ts';

export const POLICY_PER_ROW: Lint = {
  name: 'policy-per-row',
  level: 'warning',
  query: `${DISTRIBUTED}
SELECT policy.object, policy.name, pg_catalog.concat_ws(E'\\n', policy.qual, policy.checked) AS expressions,
  (SELECT pg_catalog.string_agg(proc.proname, E'\\n')
   FROM pg_catalog.pg_depend AS depend
   JOIN pg_catalog.pg_proc AS proc ON proc.oid = depend.refobjid AND proc.provolatile = 's' AND proc.pronargs = 0
   WHERE depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND depend.objid = policy.oid
     AND depend.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass) AS functions
FROM policy JOIN relation ON relation.oid = policy.relation AND relation.relrowsecurity
WHERE policy.relation NOT IN (SELECT oid FROM distributed)`,
  read: (row) => {
    const functions = textOf(row, 'functions').split('\n').filter(Boolean);
    const [call] = findCallsPerRow(textOf(row, 'expressions'), functions);
    if (call === undefined) return [];
    return [
      {
        object: textOf(row, 'object'),
        role: null,
        place: { kind: 'policy', table: textOf(row, 'object'), name: textOf(row, 'name') },
        message: `The policy ${textOf(row, 'name')} evaluates ${call} for each row. In a subselect it is evaluated once for each statement.`,
        fix: `-- In the policy ${escapeLine(textOf(row, 'name'))} write (select ${call}) instead of ${call}.`,
      },
    ];
  },
};

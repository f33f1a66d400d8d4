// Functions that run with more privileges than they need, or that more roles may execute than need to.
import type { Lint } from './lint.ts';

const REVOKE = 'REVOKE EXECUTE ON ROUTINE {object} FROM PUBLIC;\n-- Then GRANT EXECUTE to the roles that need it.';

export const FUNCTION_LINTS: readonly Lint[] = [
  {
    // Names in a SQL-standard body are resolved when the function is created.
    name: 'definer-search-path',
    level: 'warning',
    query: `
SELECT object, role, schema
FROM may_call
WHERE is_definer AND NOT is_resolved
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(config) AS entry WHERE entry ^@ 'search_path=')`,
    message: 'The function runs as its owner, but resolves names through the search path of its caller.',
    fix: 'ALTER ROUTINE {object} SET search_path = pg_catalog, {schema}, pg_temp;',
  },
  {
    // So may every role that is created later.
    name: 'definer-executable-by-anyone',
    level: 'warning',
    query: `
SELECT object FROM routine WHERE is_definer AND is_public AND NOT is_own`,
    message: 'The function runs as its owner, and every role may execute it, because PUBLIC may.',
    fix: REVOKE,
  },
  {
    name: 'public-execute',
    level: 'note',
    query: `
SELECT object FROM routine WHERE NOT is_definer AND volatility = 'v' AND is_public AND NOT is_granted AND is_exposed`,
    message: 'Every role may call the function, because PUBLIC may, although it was granted to none.',
    fix: REVOKE,
  },
];

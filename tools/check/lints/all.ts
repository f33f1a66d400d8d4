// All lints that look at a database, in the order of `project.md` §6 item 2; the last one is the doctor's.
import type { Lint } from './lint.ts';
import { DEFINER_EXECUTABLE_BY_ANYONE } from './definer-executable-by-anyone.ts';
import { DEFINER_SEARCH_PATH } from './definer-search-path.ts';
import { DUPLICATE_INDEX } from './duplicate-index.ts';
import { FOREIGN_KEY_WITHOUT_INDEX } from './foreign-key-without-index.ts';
import { FUNCTION_MISSES_SHARDS } from './function-misses-shards.ts';
import { LARGE_LOCAL_TABLE } from './large-local-table.ts';
import { MATERIALIZED_VIEW_EXPOSED } from './materialized-view-exposed.ts';
import { NO_PRIMARY_KEY } from './no-primary-key.ts';
import { NOTHING_TO_SERVE } from './nothing-to-serve.ts';
import { POLICIES_OVERLAP } from './policies-overlap.ts';
import { POLICY_ALWAYS_TRUE } from './policy-always-true.ts';
import { POLICY_OVER_ALL_SHARDS } from './policy-over-all-shards.ts';
import { POLICY_PER_ROW } from './policy-per-row.ts';
import { POLICY_TRUSTS_CLIENT } from './policy-trusts-client.ts';
import { PUBLIC_EXECUTE } from './public-execute.ts';
import { RLS_OFF } from './rls-off.ts';
import { RLS_WITHOUT_POLICY } from './rls-without-policy.ts';
import { ROLE_CANNOT_LOG_IN } from './role-cannot-log-in.ts';
import { SECRET_READABLE } from './secret-readable.ts';
import { VIEW_BYPASSES_POLICIES } from './view-bypasses-policies.ts';

export const LINTS: readonly Lint[] = [
  RLS_OFF,
  RLS_WITHOUT_POLICY,
  POLICY_ALWAYS_TRUE,
  POLICIES_OVERLAP,
  POLICY_PER_ROW,
  POLICY_TRUSTS_CLIENT,
  VIEW_BYPASSES_POLICIES,
  MATERIALIZED_VIEW_EXPOSED,
  DEFINER_SEARCH_PATH,
  DEFINER_EXECUTABLE_BY_ANYONE,
  PUBLIC_EXECUTE,
  SECRET_READABLE,
  DUPLICATE_INDEX,
  FOREIGN_KEY_WITHOUT_INDEX,
  NO_PRIMARY_KEY,
  ROLE_CANNOT_LOG_IN,
  FUNCTION_MISSES_SHARDS,
  POLICY_OVER_ALL_SHARDS,
  LARGE_LOCAL_TABLE,
  NOTHING_TO_SERVE,
];

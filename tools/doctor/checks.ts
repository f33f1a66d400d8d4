// All checks of the database, in the order in which findings of equal severity are reported.
import { EMPTY_SCHEMAS, ROLES_WITHOUT_ACCESS, TABLES_WITHOUT_GRANTS } from './checks/access.ts';
import type { Check } from './checks/check.ts';
import { FUNCTIONS } from './checks/functions.ts';
import { FOREIGN_KEYS, POLICY_COLUMNS } from './checks/indexes.ts';
import { LIVE_IDENTITIES, LIVE_SETUP } from './checks/live.ts';
import { RELOAD_TRIGGER, TIMEOUTS } from './checks/operation.ts';
import { BYPASSING_LOGIN, INHERITING_LOGIN, SUPERUSERS } from './checks/roles.ts';
import { TABLES } from './checks/tables.ts';
import { VIEWS } from './checks/views.ts';

export const CHECKS: readonly Check[] = [
  SUPERUSERS,
  BYPASSING_LOGIN,
  INHERITING_LOGIN,
  EMPTY_SCHEMAS,
  ROLES_WITHOUT_ACCESS,
  TABLES_WITHOUT_GRANTS,
  TABLES,
  VIEWS,
  FUNCTIONS,
  TIMEOUTS,
  FOREIGN_KEYS,
  POLICY_COLUMNS,
  LIVE_SETUP,
  LIVE_IDENTITIES,
  RELOAD_TRIGGER,
];

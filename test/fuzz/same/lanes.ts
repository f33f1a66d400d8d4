// The configurations under which requests are compared, as data. Each has two servers and two databases of its own.
import { SECRET } from '../../conformance/send-step.ts';
import type { ServerOptions } from '../../support/server-process.ts';

export interface Lane {
  readonly name: string;
  readonly fixture: 'reading' | 'writing';
  readonly options: ServerOptions;
}

const COMMON: ServerOptions = {
  'db-schemas': 'api',
  'db-anon-role': 'web_anon',
  'db-config': false,
  'jwt-secret': SECRET,
  'log-level': 'crit',
  // Requests are compared one by one, on a machine that may be busy.
  'server-max-wait': 0,
  'db-pool': 2,
};
const EVERYTHING: ServerOptions = { ...COMMON, 'db-aggregates-enabled': true, 'db-plan-enabled': true };
const KEYED: ServerOptions = { 'db-idempotency-schema': 'idempotency', 'idempotency-anonymous': true };

export const LANES: readonly Lane[] = [
  { name: 'reads', fixture: 'reading', options: EVERYTHING },
  {
    name: 'reads, postgrest, at most five rows',
    fixture: 'reading',
    options: { ...EVERYTHING, dialect: 'postgrest', 'db-max-rows': 5 },
  },
  {
    name: 'reads without extensions, timed, several schemas',
    fixture: 'reading',
    options: { ...COMMON, extensions: 'none', 'server-timing-enabled': true, 'db-prepared-statements': false },
  },
  {
    name: 'writes, rolled back, keyed',
    fixture: 'writing',
    options: { ...EVERYTHING, ...KEYED, 'db-tx-end': 'rollback-allow-override' },
  },
  {
    name: 'writes, committed, timed, with a pre-request function',
    fixture: 'writing',
    options: {
      ...EVERYTHING,
      'db-schemas': 'api, labs',
      'db-tx-end': 'commit-allow-override',
      'db-pre-request': 'kit.gate',
      'server-timing-enabled': true,
    },
  },
  {
    name: 'writes, committed, postgrest, without extensions',
    fixture: 'writing',
    options: { ...COMMON, dialect: 'postgrest', 'db-aggregates-enabled': true },
  },
  {
    name: 'writes, rolled back, postgrest with all extensions, with a cost limit',
    fixture: 'writing',
    options: {
      ...EVERYTHING,
      dialect: 'postgrest',
      extensions: 'all',
      'db-tx-end': 'rollback',
      'db-max-cost': 500,
      'db-pre-request': 'kit.gate',
    },
  },
];

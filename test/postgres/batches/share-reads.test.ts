// Reads share a write by default, but not if a script must end before the next one is sent.
import { afterEach, expect, test } from 'vitest';
import { Pool } from '../../../src/postgres/pool/pool.ts';
import { SHARED_READS } from '../../../src/extensions/shared-reads/index.ts';
import { resolveText } from '../../support/resolve-text.ts';

const pool = new Pool({
  maxConnections: 1,
  acquisitionTimeoutMs: 1000,
  maxIdleTimeMs: 1000,
  maxLifetimeMs: 1000,
  connect: () => Promise.reject(new Error('nothing is asked of the database here')),
  onEvent: undefined,
});

afterEach(() => pool.close());

test.each([
  ['by default', '', true],
  ['not if disabled', 'db-batch-reads = false', false],
  ['not if plans are discarded when the role changes', 'db-discard-plans = true', false],
  ['not behind a pooler without prepared statements', 'db-prepared-statements = false', false],
])('reads share a write: %s', (_, file, isSharing) => {
  const config = resolveText({ file });
  if (!config.ok) throw new Error(config.error.message);
  expect(SHARED_READS.runScripts?.(config.value, pool) !== undefined).toBe(isSharing);
});

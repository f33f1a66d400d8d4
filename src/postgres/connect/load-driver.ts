// Loads the driver with the first connection.
import { createRequire } from 'node:module';
import type * as Driver from 'pg';

const NAME = 'navigator';
const require = createRequire(import.meta.url);

/**
 * Imports `pg`. The driver detects its runtime through `navigator`. Node 20 has none, so the driver would create a
 * `Response`, which loads all of `fetch` (40 ms, 6 MB). A temporary `navigator` prevents that; it is removed before any
 * other code runs.
 */
export function loadDriver(): typeof Driver {
  if (NAME in globalThis) return importDriver();
  Reflect.defineProperty(globalThis, NAME, { value: { userAgent: 'Node.js' }, configurable: true });
  try {
    return importDriver();
  } finally {
    Reflect.deleteProperty(globalThis, NAME);
  }
}

/** Imports synchronously, so that no other code runs in between. */
function importDriver(): typeof Driver {
  const driver: typeof Driver = require('pg');
  return driver;
}

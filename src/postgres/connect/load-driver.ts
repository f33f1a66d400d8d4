// The driver, loaded with the first connection.
import { createRequire } from 'node:module';
import type * as Driver from 'pg';

const NAME = 'navigator';
const require = createRequire(import.meta.url);

/**
 * The driver asks which runtime it is in. Where `navigator` does not tell, as in Node 20, it tries a `Response`, with
 * which Node loads all of `fetch`: 40 ms and 6 MB. So it is told, as newer versions do, and nobody else sees it.
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

/** At once, so that nothing else runs meanwhile. */
function importDriver(): typeof Driver {
  const driver: typeof Driver = require('pg');
  return driver;
}

// When the listener connects while the schema cache is loaded.
import { expect, test } from 'vitest';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { createConfigReader } from '../../../src/service/configuration/read-config.ts';
import type { SessionProvider } from '../../../src/service/database/internal-queries.ts';
import { CacheLoader, type CacheLoaderOptions } from '../../../src/service/schema-cache/cache-loader.ts';

const config = createConfigReader({ file: undefined, environment: { SVC_DB_CONFIG: 'false' } })(new Map(), undefined);
const VERSION = [['180004', 'PostgreSQL 18.4']];

test('O174 O188 a listener that connects before the catalogs are read needs no second load', async () => {
  const events: string[] = [];
  const note = (event: string): void => void events.push(`${event}, outdated: ${loader.mayBeOutdated}`);
  /** Answers the query for the version, and then fails to read the catalogs, by turns. */
  let queries = 0;
  const use = (): Promise<Result<unknown, { kind: 'cannotConnect'; details: string }>> => {
    queries += 1;
    if (queries % 2 === 1) return Promise.resolve(ok(VERSION));
    note('reads');
    return Promise.resolve(fail({ kind: 'cannotConnect', details: 'gone' }));
  };
  const loader = new CacheLoader({
    state: { config: config.ok ? config.value : undefined, cache: undefined },
    provider: { use } as unknown as SessionProvider,
    observe: () => {},
    endIfFatal: () => false,
    awaitListener: () => Promise.resolve(note('listener connects')),
  } as unknown as CacheLoaderOptions);
  for (const isRetry of [false, true]) {
    expect(await loader.attempt(isRetry)).toBe(false);
    note('ended');
  }
  expect(queries).toBe(4);
  expect(events).toEqual([
    'listener connects, outdated: false',
    'reads, outdated: true',
    'ended, outdated: true',
    'listener connects, outdated: false',
    'reads, outdated: true',
    'ended, outdated: true',
  ]);
});

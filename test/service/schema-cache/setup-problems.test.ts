// Setup problems that prevent some or all requests from being served, with the SQL that fixes them.
import { expect, test } from 'vitest';
import {
  findSetupProblems,
  type SetupCache,
  type SetupConfig,
} from '../../../src/service/schema-cache/setup-problems.ts';
import { ok } from '../../../src/contract/result.ts';
import { findLiveGaps } from '../../../src/extensions/live/live-gaps.ts';
import type { SetupFacts } from '../../../src/service/schema-cache/setup-facts.ts';

const CONFIG: SetupConfig = {
  dbAnonRole: 'web',
  dbPreRequest: undefined,
  dbRootSpec: undefined,
  dbSchemas: ['api'],
  jwtIssuer: undefined,
  jwtJwksUri: undefined,
  jwtSecret: undefined,
  takesTokens: true,
};
const FACTS: SetupFacts = { loginRole: 'gate', anonymousRole: 'usable', hasPreRequest: true, gaps: [] };
const CACHE: SetupCache = {
  relations: new Map([['api', new Map([['berth', undefined as never]])]]),
  routines: new Map([['api', new Map([['root', []]])]]),
};

function gaps(config: Partial<SetupConfig>, facts: Partial<SetupFacts> = {}): readonly string[] {
  return findSetupProblems({ ...CONFIG, ...config }, CACHE, { ...FACTS, ...facts });
}

test('a complete setup has no problems', () => {
  expect(gaps({ dbPreRequest: { schema: 'p', name: 'check' }, dbRootSpec: { schema: 'api', name: 'root' } })).toEqual(
    [],
  );
  expect(findSetupProblems(CONFIG, CACHE, undefined)).toEqual([]);
});

test('B77 what is missing for live responses is a problem', async () => {
  const gapsOf = (isLogical: string, mayReplicate: string, viaRoot: string | null): Promise<readonly string[]> =>
    findLiveGaps(() => Promise.resolve(ok([['gate', isLogical, mayReplicate, viaRoot]])), {
      livePublication: 'live',
      liveDbUri: undefined,
    });
  expect(await gapsOf('t', 't', 'f')).toEqual([]);
  expect(await gapsOf('t', 't', null)).toEqual([
    'No read can be watched: the publication live of live-publication does not exist. ' +
      'CREATE PUBLICATION "live" FOR TABLE ...;',
  ]);
  const [walLevel, partitionRoot, replication] = await gapsOf('f', 'f', 't');
  expect(walLevel).toContain('ALTER SYSTEM SET wal_level = logical;');
  expect(replication).toContain('ALTER ROLE "gate" REPLICATION;');
  expect(partitionRoot).toContain('ALTER PUBLICATION "live" SET (publish_via_partition_root = false);');
  expect(gaps({}, { gaps: ['missing'] })).toEqual(['missing']);
});

test('an anonymous role that does not exist is a problem', () => {
  expect(gaps({ dbAnonRole: 'Web "1"' }, { anonymousRole: 'missing' })).toEqual([
    'Requests without a token fail: the role Web "1" of db-anon-role does not exist. ' +
      'CREATE ROLE "Web ""1""" NOLOGIN; GRANT "Web ""1""" TO "gate";',
  ]);
});

test('an anonymous role that is not granted to the login role is a problem', () => {
  expect(gaps({}, { anonymousRole: 'notGranted' })).toEqual([
    'Requests without a token fail: the login role gate cannot switch to the role web of db-anon-role. ' +
      'GRANT "web" TO "gate";',
  ]);
});

test('neither an anonymous role nor a secret is a problem', () => {
  expect(gaps({ dbAnonRole: undefined }, { anonymousRole: 'unset' })).toEqual([
    'No request can be served: neither db-anon-role, for requests without a token, nor jwt-secret, for those with one, is ' +
      'set. CREATE ROLE "web_anon" NOLOGIN; GRANT "web_anon" TO "gate"; and set db-anon-role = "web_anon"',
  ]);
  const jwtSecret = new Uint8Array(32);
  expect(gaps({ dbAnonRole: undefined, jwtSecret }, { anonymousRole: 'unset' })).toEqual([]);
  const jwtJwksUri = 'https://id.example.com/keys';
  expect(gaps({ dbAnonRole: undefined, jwtJwksUri }, { anonymousRole: 'unset' })).toEqual([]);
  expect(gaps({ dbAnonRole: undefined, jwtIssuer: 'https://id.example.com' }, { anonymousRole: 'unset' })).toEqual([]);
  expect(gaps({ dbAnonRole: undefined, takesTokens: false }, { anonymousRole: 'unset' })).toEqual([]);
});

test('a pre-request function that does not exist is a problem', () => {
  expect(gaps({ dbPreRequest: { schema: 'private', name: 'check' } }, { hasPreRequest: false })).toEqual([
    'Every request fails: the function private.check() of db-pre-request does not ' +
      `exist. CREATE FUNCTION "private"."check"() RETURNS void LANGUAGE sql AS '';`,
  ]);
});

test('a root function that is in no exposed schema is a problem', () => {
  expect(gaps({ dbRootSpec: { schema: undefined, name: 'start' } })).toEqual([
    'The root path cannot be served: the function start of db-root-spec is in none of db-schemas. ' +
      `CREATE FUNCTION "api"."start"() RETURNS json LANGUAGE sql STABLE AS $$ SELECT '{}'::json $$;`,
  ]);
});

test('an empty schema is a problem', () => {
  expect(gaps({ dbSchemas: ['api', 'blank'] })).toEqual([
    'The schema blank of db-schemas has no tables, views or functions to serve. To create an example: CREATE TABLE ' +
      '"blank".notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text); ' +
      'GRANT USAGE ON SCHEMA "blank" TO "web"; GRANT SELECT ON "blank".notes TO "web";',
  ]);
});

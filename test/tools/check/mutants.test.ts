// What `rowhouse check --mutate` changes, and how it runs tests.
import { existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseInvocation } from '../../../tools/command-line/invocation.ts';
import { PROGRAM } from '../../../tools/commands/index.ts';
import { planMutants, type PolicyFacts } from '../../../tools/check/mutants/mutant.ts';
import { runTests, type TestRun } from '../../../tools/check/mutants/run-tests.ts';
import type { HttpRequest } from '../../../src/contract/http.ts';
import { noteRequest } from '../../../tools/testing/session/note-uses.ts';
import { until } from '../../support/until.ts';
import { describeSurvivor, readUses } from '../../../tools/check/mutants/survivor.ts';
import { useFolder } from '../../support/use.ts';

const POLICY: PolicyFacts = {
  object: 'api.orders',
  schema: 'api',
  name: 'orders',
  roles: ['web_user'],
  policy: 'own "ones"',
  isPermissive: true,
  using: '(a AND b)',
  check: 'c',
};

function listChanges(policy: Partial<PolicyFacts>): readonly string[] {
  return planMutants({ policies: [{ ...POLICY, ...policy }], grants: [], views: [] }).map(
    ({ change, sql }) => `${change}: ${sql.replace('POLICY "own ""ones""" ON api.orders', '…')}`,
  );
}

describe('P47 mutants', () => {
  test('of a policy', () => {
    expect(listChanges({})).toEqual([
      'the policy own "ones" is dropped: DROP …',
      'USING of the policy own "ones" is true: ALTER … USING (true)',
      'USING of the policy own "ones" is negated: ALTER … USING (NOT ((a AND b)))',
      'USING of the policy own "ones" lacks a: ALTER … USING (b)',
      'USING of the policy own "ones" lacks b: ALTER … USING (a)',
      'WITH CHECK of the policy own "ones" is true: ALTER … WITH CHECK (true)',
      'WITH CHECK of the policy own "ones" is negated: ALTER … WITH CHECK (NOT (c))',
    ]);
  });

  test('that would be equal to another or to none are left out', () => {
    expect(listChanges({ using: 'true', check: null })).toEqual([
      'the policy own "ones" is dropped: DROP …',
      'USING of the policy own "ones" is negated: ALTER … USING (NOT (true))',
    ]);
    expect(listChanges({ using: 'false', check: null })).toEqual([
      'the policy own "ones" is dropped: DROP …',
      'USING of the policy own "ones" is true: ALTER … USING (true)',
    ]);
    expect(listChanges({ isPermissive: false, using: 'a', check: null })).toEqual([
      'the policy own "ones" is dropped: DROP …',
      'USING of the policy own "ones" is negated: ALTER … USING (NOT (a))',
    ]);
    expect(listChanges({ roles: [] })).toEqual([]);
  });

  test('of grants and views', () => {
    const grant = { ...POLICY, kind: 'TABLE', privilege: 'INSERT', grantee: 'web "user"' } as const;
    const mutants = planMutants({
      policies: [],
      grants: [
        { ...grant, columns: ['id', '"Title"'] },
        { ...grant, kind: 'ROUTINE', object: 'api.f(integer)', privilege: 'EXECUTE', columns: null, grantee: null },
      ],
      views: [POLICY],
    });
    expect(mutants.map(({ change, sql }) => [change, sql])).toEqual([
      [
        'INSERT (id, "Title") on api.orders is revoked from web "user"',
        'REVOKE INSERT (id, "Title") ON TABLE api.orders FROM "web ""user""" CASCADE',
      ],
      [
        'EXECUTE on api.f(integer) is revoked from PUBLIC',
        'REVOKE EXECUTE ON ROUTINE api.f(integer) FROM PUBLIC CASCADE',
      ],
      ['security_invoker of api.orders is off', 'ALTER VIEW api.orders SET (security_invoker = false)'],
    ]);
  });

  test('that survive name the tests of the same relation and role', () => {
    const [mutant] = planMutants({ policies: [POLICY], grants: [], views: [] });
    if (mutant === undefined) throw new Error('There is no mutant.');
    const describeUses = (...uses: readonly object[]): string =>
      describeSurvivor(mutant, readUses(uses.map((use) => JSON.stringify(use)).join('\n'))).message.replace(
        /^[^.]*\. /u,
        '',
      );
    const use = { role: 'web_user', schema: 'api', name: 'orders', test: 'b.js:1' };
    expect(describeUses()).toBe('No test names api.orders as web_user.');
    expect(describeUses({ ...use, role: 'other' }, { ...use, name: 'other' }, { ...use, schema: 'x' }, {})).toBe(
      'No test names api.orders as web_user.',
    );
    expect(describeUses(use, use, { ...use, role: null, test: 'a.js:17' }, { ...use, test: 'a.js:9' })).toBe(
      'Tests of api.orders as web_user: a.js:9, a.js:17, b.js:1.',
    );
    const many = [1, 2, 3, 4, 5, 6, 7].map((line) => Object.assign({}, use, { test: `a.js:${line}` }));
    expect(describeUses(...many)).toBe(
      'Tests of api.orders as web_user: a.js:1, a.js:2, a.js:3, a.js:4, a.js:5, and 2 more.',
    );
  });
});

test('P47 a request that commits is noted by its path', () => {
  const noted: unknown[] = [];
  const note = (path: string, parts: Partial<HttpRequest> = {}): void =>
    noteRequest(
      { method: 'GET', path, rawQuery: '', headers: [], body: new Uint8Array(), ...parts },
      { dbSchemas: ['api'], dbAnonRole: 'web_anon' },
      ({ role, schema, name }) => noted.push(`${role} ${schema}.${name}`),
    );
  const mount = { basePath: '', origin: 'http://localhost/', isBare: false };
  note('/my%20orders', { mount: { ...mount, session: { role: 'web_user', claimsText: '{}' } } });
  note('/rpc/total', { mount: { ...mount, session: undefined } });
  note('/orders', { headers: [['authorization', 'Bearer x']] });
  expect(noted).toEqual(['web_user api.my orders', 'web_anon api.total', 'null api.orders']);
});

describe('P47 a run of the tests', () => {
  const folder = useFolder();
  const file = path.join(folder, 'output');

  function run(code: string, limits: { limit?: number; signal?: AbortSignal } = {}): Promise<TestRun> {
    return runTests({
      words: [process.execPath, '-e', code],
      environment: process.env,
      output: openSync(file, 'w'),
      limit: limits.limit,
      signal: limits.signal ?? new AbortController().signal,
    });
  }

  test('passes, fails, or does not start', async () => {
    expect((await run('console.log(1); console.error(2)')).kind).toBe('passed');
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n');
    expect((await run('process.exitCode = 3')).kind).toBe('failed');
    expect((await run('process.kill(process.pid, "SIGKILL")')).kind).toBe('failed');
    const missing = runTests({
      words: ['no-such-program'],
      environment: {},
      output: undefined,
      limit: 1000,
      signal: new AbortController().signal,
    });
    await expect(missing).rejects.toThrow('no-such-program');
  });

  /** Starts a process that ignores the first signal, and prints its number. */
  const STUBBORN = `
    const { spawn } = require('node:child_process');
    process.on('SIGTERM', () => process.exit(0));
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'],
      { stdio: ['ignore', 'inherit', 'inherit'] });
    setInterval(() => {}, 1000);`;

  test('that is interrupted is ended, with what it has started', async () => {
    const interrupt = new AbortController();
    const ended = run(STUBBORN, { signal: interrupt.signal });
    const child = await until(() => Number(readFileSync(file, 'utf8')) || false);
    interrupt.abort();
    expect((await ended).kind).toBe('interrupted');
    // Nobody may have waited for it.
    await until(() => !existsSync(`/proc/${child}`) || /\) Z /u.test(readFileSync(`/proc/${child}/stat`, 'utf8')));
  });

  test('that takes too long is ended', async () => {
    expect((await run('setInterval(() => {}, 1000)', { limit: 100 })).kind).toBe('timedOut');
  });
});

describe('P48 the arguments of --mutate', () => {
  const parse = (...args: readonly string[]): unknown => {
    const parsed = parseInvocation(PROGRAM, ['check', ...args], {});
    return parsed.ok ? parsed.value.options : parsed.error;
  };

  test('what follows `--` is the command, with its own flags', () => {
    expect(parse('shop', '--mutate', '--json', '--', 'npm', 'test', '--', '--json', 'x')).toEqual({
      kind: 'mutate',
      folder: 'shop',
      format: 'json',
      tests: ['npm', 'test', '--', '--json', 'x'],
    });
  });

  test.each([
    [['--mutate'], '--mutate requires the command that runs the tests: --mutate -- npm test'],
    [['--mutate', '--'], '--mutate requires the command that runs the tests: --mutate -- npm test'],
    [['postgres://x/y', '--mutate', '--', 'x'], '--mutate requires a folder'],
    [['--mutate', '--types', 'x.ts', '--', 'x'], '--types does not work with --mutate'],
    [['a', 'b', '--mutate', '--', 'x'], 'check accepts one folder or the URI of one database'],
    [['--probe-writes'], '--probe-writes requires the URI of a database'],
  ])('%j is refused', (args, message) => {
    expect(parse(...args)).toBe(message);
  });

  test('P44 --probe-writes', () => {
    expect(parse('postgres://x/y', '--probe-writes')).toMatchObject({
      subject: { kind: 'database', uri: 'postgres://x/y', hasWriteProbes: true },
    });
  });
});

// deploy/production/ and the commands of docs/production.md, as far as they run without Docker: references of the compose
// file, secrets, the schema in a database, requests with its configuration, the doctor, and the scripts' syntax.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { runProgram } from '../support/spawned-server.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { startLogicalPostgres } from '../support/own-postgres.ts';
import { startServerProcess } from '../support/server-process.ts';
import { signToken } from '../../tools/token/issue-token.ts';
import { readPage } from './read-page.ts';
import { ROOT } from './read-pages.ts';
import { use, useFolder } from '../support/use.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const SCRIPT = readPage(read('docs/production.md')).find(({ text }) => text.startsWith('umask'))?.text ?? '';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const secret = (name: string): string => readFileSync(path.join(folder, 'secrets', name), 'utf8');

const folder = useFolder();
execFileSync('sh', ['-euc', SCRIPT], { cwd: folder });
const document = parseDocument(read('deploy/production/compose.yaml'));
/** Of the compose file. */
const problems: readonly unknown[] = [...document.errors, ...document.warnings];
const compose = document.toJS() as Compose;
const postgres = await use(startLogicalPostgres());
const database = await createDatabase({ server: postgres.uri });
const schema = read('deploy/production/schema.sql');
// What psql does.
const line = /^\\set password `cat \/run\/secrets\/authenticator-password`$/mu;
await runSql(database.uri, schema.replace(line, '').replaceAll(":'password'", `'${secret('authenticator-password')}'`));

test('every secret, volume, file and service that the compose file names exists, and only nginx has ports', () => {
  const { services, secrets, volumes } = compose;
  expect(problems).toEqual([]);
  for (const { file } of Object.values(secrets)) expect(statSync(path.join(folder, file)).mode & 0o077).toBe(0);
  for (const [name, service] of Object.entries(services)) {
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...(service.secrets ?? [])]));
    const { depends_on: needed = [] } = service;
    const names = Array.isArray(needed) ? needed : Object.keys(needed);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(names));
    expect(service.ports === undefined).toBe(name !== 'proxy');
    for (const volume of service.volumes ?? []) {
      const [from = ''] = volume.split(':');
      if (!from.startsWith('./')) expect(Object.keys(volumes)).toContain(from);
      else if (!/certificates|backups/u.test(from))
        expect(statSync(path.join(ROOT, 'deploy/production', from)).isFile()).toBe(true);
    }
  }
  expect(secret('db-uri')).toBe(`postgres://authenticator:${secret('authenticator-password')}@database/app`);
  expect(secret('jwt-secret')).toHaveLength(64);
});

test('the scripts of the folder are valid', () => {
  execFileSync('sh', ['-n', path.join(ROOT, 'deploy/production/backup.sh')]);
  const nginx = read('deploy/production/nginx.conf');
  expect(nginx.split('{').length).toBe(nginx.split('}').length);
  for (const line of nginx.split('\n').map((each) => each.trim()))
    expect(line === '' || /^#|[;{}]$/u.test(line), line).toBe(true);
  expect(nginx).toContain('proxy_pass http://rowhouse:3000;');
});

test('the API of the sample schema works with the configuration of the compose file, and the doctor is content', async () => {
  const uri = Object.assign(new URL(database.uri), {
    username: 'authenticator',
    password: secret('authenticator-password'),
  }).href;
  const environment = Object.entries(compose.services['rowhouse']?.environment ?? {});
  const options = Object.fromEntries(
    environment.map(([name, value]) => [name.replace('SVC_', '').toLowerCase().replaceAll('_', '-'), value]),
  );
  const secrets = { 'db-uri': uri, 'jwt-secret': secret('jwt-secret') };
  const server = await startServerProcess({ ...options, ...secrets });
  try {
    const url = `http://127.0.0.1:${server.port}/articles`;
    const headers = {
      Authorization: `Bearer ${signToken({ role: 'web_user', sub: 'ann' }, secret('jwt-secret'))}`,
      'Content-Type': 'application/json',
    };
    const post = (body: object): Promise<Response> =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post({ title: 'Hello', published_at: 'now' })).status).toBe(201);
    expect((await post({ title: 'A draft' })).status).toBe(201);
    expect((await post({ title: 'Forged', author: 'bob' })).status).toBe(403);
    expect(await (await fetch(`${url}?select=author,title`)).json()).toEqual([{ author: 'ann', title: 'Hello' }]);
    expect(await (await fetch(`${url}?select=title&order=id`, { headers })).json()).toEqual([
      { title: 'Hello' },
      { title: 'A draft' },
    ]);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(401);
  } finally {
    await server.stop();
  }
  const flags = Object.entries({ ...options, ...secrets }).map(([name, value]) => `--${name}=${value}`);
  const doctor = await runProgram(['doctor', ...flags, '--json'], { folder });
  const { findings } = JSON.parse(doctor.stdout) as { readonly findings: readonly { readonly severity: string }[] };
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
});

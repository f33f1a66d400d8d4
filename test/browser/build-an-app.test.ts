// The code of docs/build-an-app.md and docs/login.md: their SQL in a database, TypeScript checked against the types of that
// database, and the app in a browser, with Preact in place of React.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MountableService, startService } from '../../src/index.ts';
import { readPage } from '../docs/read-page.ts';
import { runProgram } from '../support/spawned-server.ts';
import { createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { startLogicalPostgres } from '../support/own-postgres.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BLOCKS = readPage(readFileSync(new URL('../../docs/build-an-app.md', import.meta.url), 'utf8'));
const LOGIN = readPage(readFileSync(new URL('../../docs/login.md', import.meta.url), 'utf8'));
const textsOf = (language: string, blocks = BLOCKS): readonly string[] =>
  blocks.filter((block) => block.language === language).map(({ text }) => text);
/** Without the key for projects. Hashes as the page does, but in less time. */
const LOGIN_SQL = textsOf(
  'sql',
  LOGIN.filter(({ note }) => note?.text !== 'a test of the templates runs it'),
)
  .join('\n')
  .replaceAll("gen_salt('bf', 12)", "gen_salt('bf', 4)");
const SQL = [LOGIN_SQL, ...textsOf('sql')].join('\n');
const API = textsOf('ts').find((text) => text.includes('export type Note')) ?? '';
const [APP = ''] = textsOf('tsx');
const SECRET = /jwt-secret = "(.*)"/u.exec(textsOf('conf', LOGIN)[0] ?? '')?.[1] ?? '';
const MAIN = `import { createElement, render } from 'preact';
import { App } from './app.js';
render(createElement(App, {}), document.body);`;
const TYPES = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    types: [],
    allowImportingTsExtensions: true,
    paths: {
      react: ['../../node_modules/preact/compat/src/index.d.ts'],
      '@rowhouse/live': ['../../packages/live/src/index.ts'],
    },
  },
  files: ['app.tsx'],
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PASSWORD = 'rye bread and plums';

async function bundle(folder: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    resolve: { alias: { react: 'preact/compat', '@rowhouse/live': path.join(ROOT, 'packages/live/src/index.ts') } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { write: false, lib: { entry: 'main.ts', formats: ['es'] } },
  });
  const [{ output }] = built as unknown as [{ readonly output: readonly [{ readonly code: string }] }];
  return output[0].code;
}

describeInBrowser('the app of docs/build-an-app.md', () => {
  let folder: string;
  let database: TestDatabase;
  let stopPostgres: () => Promise<void>;
  let service: MountableService;
  let host: Server;
  let browser: Browser;
  let origin = '';
  let check: () => string;
  const opened: Page[] = [];
  let mails: Client;

  beforeAll(async () => {
    mkdirSync(path.join(ROOT, '.rowhouse'), { recursive: true });
    folder = mkdtempSync(path.join(ROOT, '.rowhouse/app-'));
    const postgres = await startLogicalPostgres();
    stopPostgres = () => postgres.stop();
    database = await createDatabase({ server: postgres.uri });
    await runSql(database.uri, SQL);
    mails = new Client({ connectionString: database.uri });
    await mails.connect();
    const dbUri = Object.assign(new URL(database.uri), { username: 'authenticator', password: '' }).href;
    const options = {
      dbUri,
      dbSchemas: ['api'],
      dbAnonRole: 'web_anon',
      jwtSecret: SECRET,
      livePublication: 'rowhouse_live',
    };
    const types = await runProgram(['types', dbUri, '--db-schemas', 'api']);
    const files = { 'database.ts': types.stdout, 'api.ts': API, 'app.tsx': APP, 'main.ts': MAIN };
    for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(TYPES) }))
      writeFileSync(path.join(folder, name), text);
    check = () => {
      try {
        return execFileSync(process.execPath, [
          path.join(ROOT, 'node_modules/typescript/bin/tsc'),
          '-p',
          folder,
        ]).toString();
      } catch (error) {
        return String((error as { readonly stdout: Buffer }).stdout);
      }
    };
    service = await startService({ options, environment: {}, output: { writeOut: () => {}, writeError: () => {} } });
    const api = service.createNodeHandler({ basePath: '/api' });
    const code = await bundle(folder);
    host = createServer((request, response) => {
      if (request.url?.startsWith('/api/') === true) api(request, response);
      else if (request.url === '/app.js') response.setHeader('Content-Type', 'text/javascript').end(code);
      else response.setHeader('Content-Type', 'text/html').end('<body><script type="module" src="/app.js"></script>');
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    // Browsers accept secure cookies of localhost without HTTPS.
    origin = `http://localhost:${(host.address() as AddressInfo).port}`;
    browser = await sharedChromium();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    await runSql(database.uri, 'truncate private.accounts, private.attempts, private.codes, private.mails cascade');
  });

  afterAll(async () => {
    await closePages(browser);
    host.closeAllConnections();
    host.close();
    await service.stop();
    await mails.end();
    await stopPostgres();
    rmSync(folder, { recursive: true });
  });

  async function open(): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    opened.push(page);
    await page.goto(origin);
    return page;
  }

  async function fill(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Mail address').fill(email);
    await page.getByLabel('Password').fill(password);
  }

  const call = async (name: string, body: object): Promise<readonly [number, unknown]> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${origin}/api/rpc/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return [answer.status, answer.status === 204 ? undefined : await answer.json()];
  };

  async function codeFor(email: string): Promise<string> {
    const sql = 'select code from private.mails where recipient = $1 order by id desc limit 1';
    const { rows } = await mails.query<{ readonly code: string }>(sql, [email.toLowerCase()]);
    return rows[0]?.code ?? '';
  }

  async function join(page: Page, email: string): Promise<void> {
    await fill(page, email);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Check your mail.').waitFor();
    await page.goto(`${origin}/?code=${await codeFor(email)}`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByLabel('New note').waitFor();
  }

  const notes = (page: Page): Promise<readonly string[]> => page.getByRole('listitem').allInnerTexts();

  test('its TypeScript compiles with the types of its database, and a wrong name does not', () => {
    expect(check()).toBe('');
    writeFileSync(path.join(folder, 'app.tsx'), APP.replace('{ text: String', '{ txt: String'));
    expect(check()).toMatch(/'txt' does not exist/u);
  });

  test('people sign up, keep notes on two devices at once, add pictures and log out', async () => {
    const page = await open();
    await join(page, 'Ann@example.org');
    const phone = await open();
    await fill(phone, 'ann@example.org', 'another password');
    await phone.getByRole('button', { name: 'Log in' }).click();
    await phone.getByText('Wrong address or password.').waitFor();
    await fill(phone, 'ann@example.org');
    await phone.getByRole('button', { name: 'Log in' }).click();
    await phone.getByLabel('New note').fill('Plums');
    await phone.getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => notes(page)).toEqual(['Plums']);
    await page.getByLabel('Plums').check();
    await expect.poll(() => phone.getByLabel('Plums').isChecked()).toBe(true);
    await page.getByLabel('Picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
    await page.getByAltText('The picture').waitFor();
    await page
      .getByLabel('Picture')
      .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('<p>') });
    await page.getByRole('alert').getByText('violates check constraint').waitFor();
    const other = await open();
    await join(other, 'bob@example.org');
    expect(await notes(other)).toEqual([]);
    await page.goto(origin);
    await expect.poll(() => notes(page)).toEqual(['Plums']);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  test('a used code leaves the URL, so that one can log in again after a log-out, and an old link is no dead end', async () => {
    const page = await open();
    await join(page, 'ann@example.org');
    const used = page.url();
    await page.getByRole('button', { name: 'Log out' }).click();
    await fill(page, 'ann@example.org');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('New note').waitFor();
    expect(used).toBe(`${origin}/`);
    const other = await open();
    await other.goto(`${origin}/?code=of-an-old-mail`);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByText('Wrong or expired link').waitFor();
    await other.getByRole('button', { name: 'Log in instead' }).click();
    await fill(other, 'ann@example.org');
    await other.getByRole('button', { name: 'Log in', exact: true }).click();
    await other.getByLabel('New note').waitFor();
  });

  test('answers do not tell which addresses have an account, and attempts are limited', async () => {
    await join(await open(), 'ann@example.org');
    const known = await call('sign_up', { email: 'ann@example.org', password: PASSWORD });
    expect(known).toEqual([200, { message: 'Check your mail.' }]);
    expect(await call('sign_up', { email: 'new@example.org', password: PASSWORD })).toEqual(known);
    expect(await call('request_reset', { email: 'nobody@example.org' })).toEqual(
      await call('request_reset', { email: 'ann@example.org' }),
    );
    const wrong = [401, { message: 'Wrong address or password.' }];
    for (const email of ['ann@example.org', 'nobody@example.org']) {
      const answers = [];
      for (let attempt = 0; attempt < 11; attempt += 1)
        answers.push(await call('log_in', { email, password: 'wrong' }));
      expect(answers.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => wrong));
      expect(answers[10]).toEqual([429, { message: 'Too many attempts. Try again in an hour.' }]);
    }
  });

  test('a link confirms only with the password of the sign-up, and a reset ends all sessions', async () => {
    expect(await call('sign_up', { email: 'ann@example.org', password: 'short' })).toEqual([
      400,
      { message: 'A password has 12 to 72 characters.' },
    ]);
    await call('sign_up', { email: 'ann@example.org', password: 'of somebody else' });
    const code = await codeFor('ann@example.org');
    expect((await call('confirm', { code, password: PASSWORD }))[0]).toBe(401);
    const page = await open();
    await join(page, 'ann@example.org');
    await call('request_reset', { email: 'ann@example.org' });
    const reset = { code: await codeFor('ann@example.org'), password: 'a new password' };
    expect(await call('reset_password', reset)).toEqual([200, { message: 'Log in with the new password.' }]);
    expect((await call('reset_password', reset))[0]).toBe(401);
    expect((await call('log_in', { email: 'ann@example.org', password: PASSWORD }))[0]).toBe(401);
    expect((await call('log_in', { email: 'ann@example.org', password: 'a new password' }))[0]).toBe(200);
    await page.goto(origin);
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  test('nobody reaches the tables of accounts or the rows of others', async () => {
    expect((await call('count_attempt', { subject: 'x' }))[0]).toBe(404);
    for (const route of ['accounts', 'sessions', 'signing_key'])
      expect((await fetch(`${origin}/api/${route}`)).status).toBe(404);
    expect((await fetch(`${origin}/api/notes`)).status).toBe(401);
  });
});

// The template `tasks-live` as `npm run dev` serves it: two people in two browsers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeProject } from '../../tools/new/write-project.ts';
import { linkPackages } from '../support/link-packages.ts';
import { findFreePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { useFolders } from '../tools/project/folder.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';
import { type PageWatch, watchPage } from './support/watch-page.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist/cli/main.js');
const createFolder = useFolders();

interface Person {
  readonly page: Page;
  readonly watch: PageWatch;
  /** Streams that have not ended. */
  readonly streams: () => number;
}

describeInBrowser('the template tasks-live', () => {
  let browser: Browser;
  let dev: ChildProcess;
  let origin = '';

  beforeAll(async () => {
    const parent = createFolder({});
    const folder = path.join(parent, 'party');
    writeProject(folder, 'tasks-live', { kind: 'registry', version: '0.1.0' });
    linkPackages(folder);
    // npm puts the commands of packages on the path.
    writeFileSync(path.join(parent, 'rowhouse'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    chmodSync(path.join(parent, 'rowhouse'), 0o755);
    const { PATH, HOME } = process.env;
    const env = { PATH: `${parent}:${PATH}`, HOME, SVC_SERVER_PORT: String(await findFreePort()) };
    dev = spawn(process.execPath, ['dev.js'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // The escape sequences of colors are in between.
    const address = (): string | undefined =>
      /http:\/\/localhost:\d+(?=\/\s*$)/mu.exec(output.split('The page:')[1] ?? '')?.[0];
    await until(() => address() !== undefined, { seconds: 120, why: () => output });
    origin = address() ?? '';
    browser = await sharedChromium();
  });

  afterAll(async () => {
    await closePages(browser);
    // As Ctrl-C in a terminal.
    process.kill(-(dev.pid ?? 0), 'SIGINT');
    await once(dev, 'exit');
  });

  async function signIn(name: string): Promise<Person> {
    const page = await (await browser.newContext()).newPage();
    const watch = await watchPage(page, origin);
    let streams = 0;
    const count = (request: Request, change: number): void => {
      const isStream = request.url() === `${origin}/api/` && request.headers()['accept'] === 'text/event-stream';
      if (isStream) streams += change;
    };
    page.on('request', (request) => count(request, 1));
    page.on('requestfinished', (request) => count(request, -1));
    page.on('requestfailed', (request) => count(request, -1));
    await page.goto(origin);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill('tea and plums');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Live').waitFor();
    await page.getByRole('link', { name: 'Summer party' }).click();
    return { page, watch, streams: () => streams };
  }

  /** Holds the next request to a table. @returns a function that sends it */
  async function hold(page: Page, table: string): Promise<() => Promise<void>> {
    let held: Route | undefined;
    await page.route(`**/api/${table}*`, (route) => void (held = route), { times: 1 });
    return async () => (await until(() => held)).continue();
  }

  test('B100 two people see each other edit, a refused write is taken back, and what is unshared disappears', async () => {
    const [ann, bob] = [await signIn('ann'), await signIn('bob')];
    const title = (page: Page, text: string) => page.getByLabel(`Title: ${text}`);

    // At once, before the server knows; then for the other, too.
    const sendTitle = await hold(ann.page, 'tasks');
    await title(ann.page, 'Hang up the lanterns').fill('Hang up all lanterns');
    await title(ann.page, 'Hang up the lanterns').press('Enter');
    await title(ann.page, 'Hang up all lanterns').waitFor();
    expect(await title(bob.page, 'Hang up the lanterns').count()).toBe(1);
    await sendTitle();
    await title(bob.page, 'Hang up all lanterns').waitFor();
    await bob.page.getByLabel('New task').fill('Bake bread');
    await bob.page.getByLabel('New task').press('Enter');
    await ann.page.getByLabel('Done: Bake bread').check();
    await expect.poll(() => bob.page.getByLabel('Done: Bake bread').isChecked()).toBe(true);
    await bob.page.getByRole('button', { name: 'Remove 2 done' }).click();
    await title(ann.page, 'Bake bread').waitFor({ state: 'detached' });
    expect([ann.streams(), bob.streams()]).toEqual([1, 1]);

    ann.watch.expectStatus(409);
    const sendPerson = await hold(ann.page, 'members');
    await ann.page.getByRole('textbox', { name: 'Share with' }).fill('zoe');
    await ann.page.getByRole('button', { name: 'Share', exact: true }).click();
    await ann.page.getByText('zoe').waitFor();
    await sendPerson();
    await ann.page.getByRole('alert').getByText('Nobody has this name.').waitFor();
    expect(await ann.page.getByText('zoe').count()).toBe(0);

    await ann.page.getByRole('button', { name: 'Stop sharing with bob' }).click();
    await bob.page.getByText('This list is gone, or it is no longer shared with you.').waitFor();
    expect(await bob.page.getByRole('link').allInnerTexts()).toEqual([expect.stringContaining('Workshop')]);
    expect([...ann.watch.problems(), ...bob.watch.problems()]).toEqual([]);
  });
});

// The tests of the sync packages in a browser, in as many rounds as a file asks for (`beyond.md` §6.5).
// cspell:ignore keyout
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROXIES, startNginx } from '../../support/proxies.ts';
import { skipped } from '../../support/skipped.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { describeInBrowser } from './chromium.ts';
import {
  countSetbacks,
  crashDuringWrites,
  measureEdits,
  reloadBeforeResponse,
  renewTokens,
  writeOffline,
} from './sync-scenarios.ts';
import { LISTS, type SyncPage, useSync } from './use-sync.ts';

export interface Rounds {
  readonly edits: number;
  readonly updates: number;
  readonly renewals: number;
  readonly offline: { readonly count: number; readonly milliseconds: number };
  readonly crashes: number;
}

const TIMEOUT_MS = 1_800_000;
const hasNginx = PROXIES.some(({ name, isInstalled }) => name === 'nginx' && isInstalled);

export function testSync({ edits, updates, renewals, offline, crashes }: Rounds): void {
  describeInBrowser('pages with collections', () => {
    const sync = useSync();

    async function openTwo(options?: { readonly api: string }): Promise<readonly [SyncPage, SyncPage]> {
      return Promise.all([sync.open(options), sync.open(options)]);
    }

    test(`B94 ${LISTS} collections share one connection`, async () => {
      const proxy = await startTcpProxy({ port: sync.server().port });
      onTestFinished(() => proxy.close());
      const page = await sync.open({ api: `http://127.0.0.1:${proxy.port}` });
      expect((await page.rows()).length).toBe(LISTS);
      expect(await page.describeRequests()).toEqual(['POST / HTTP/1.1']);
      expect(proxy.acceptedCount).toBe(1);
    });

    test('B94 a token that expires is replaced, and no event is lost', { timeout: TIMEOUT_MS }, async () => {
      await renewTokens(sync, renewals);
    });

    test('B97 B100 two browsers see the edits of each other, and nothing older', { timeout: TIMEOUT_MS }, async () => {
      const pages = await openTwo();
      console.log(await measureEdits(pages, edits));
      console.log(await countSetbacks(sync, pages, updates));
    });

    test('B99 what a page writes while it is offline takes effect once', { timeout: TIMEOUT_MS }, async () => {
      await writeOffline(sync, await openTwo(), offline);
    });

    test('B99 what a page has not sent when it is closed, the next one sends', async () => {
      const proxy = await startTcpProxy({ port: sync.server().port });
      onTestFinished(() => proxy.close());
      await reloadBeforeResponse(sync, proxy, 10);
    });

    test('B97 B99 a server that crashes loses nothing, and does nothing twice', { timeout: TIMEOUT_MS }, async () => {
      console.log(await crashDuringWrites(sync, await openTwo(), { crashes, seed: 1 }));
    });

    test.skipIf(!hasNginx)(
      skipped(
        'B94 B97 the same holds with workers behind nginx, by HTTP/2',
        hasNginx ? undefined : 'no nginx: apt-get install nginx',
      ),
      { timeout: TIMEOUT_MS },
      async () => {
        const server = await sync.launch({ 'server-workers': 2 });
        const nginx = await startNginx([server, server], await createCertificate());
        onTestFinished(() => nginx.stop());
        const pages = await openTwo({ api: `https://127.0.0.1:${nginx.port}` });
        for (const page of pages) expect(await page.describeRequests()).toEqual(['POST / HTTP/2.0']);
        console.log(await measureEdits(pages, edits));
        console.log(await countSetbacks(sync, pages, updates));
      },
    );
  });
}

/** Returns a file with a certificate and its key. */
async function createCertificate(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rowhouse-certificate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  const made = spawnSync('openssl', ['req', '-x509', ...key, '-subj', '/CN=localhost', '-keyout', '-', '-out', '-']);
  if (made.status !== 0) throw new Error(`openssl: ${String(made.stderr)}`);
  const file = path.join(folder, 'certificate.pem');
  await writeFile(file, made.stdout);
  return file;
}

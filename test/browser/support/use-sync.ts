// An application with the sync packages in a browser, over the built server, which tests may kill, and a database that
// notes every write.
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
import { signToken } from '../../../tools/token/issue-token.ts';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { PUBLICATION, useLiveHarbor } from '../../server/live/live-harbor.ts';
import type { Harbor } from '../../support/harbor.ts';
import { SECRET } from '../../support/local-server.ts';
import { portOf } from '../../support/listen.ts';
import { type ServerOptions, type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';
import { closePages, sharedChromium } from './chromium.ts';

export const LISTS = 20;
/** Each list has one, with the id of the list. */
const FIRST_TASKS = `insert into api.task select id, id, 0, 'first' from generate_series(0, ${LISTS - 1}) id`;

export interface Task {
  readonly id: number;
  readonly list: number;
  readonly n: number;
  readonly title: string;
}

/** A page with the application. */
export class SyncPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Those to the server. */
  readonly requests: Request[] = [];

  constructor(page: Page) {
    this.page = page;
    this.context = page.context();
  }

  /** Calls a function of `window.app`. */
  call<T = unknown>(name: string, argument?: unknown): Promise<T> {
    return this.page.evaluate(`app.${name}(${argument === undefined ? '' : JSON.stringify(argument)})`);
  }

  rows(): Promise<readonly Task[]> {
    return this.call('rows');
  }

  /** `POST / HTTP/1.1` for each request to the server that has a response. */
  describeRequests(): Promise<readonly string[]> {
    const texts = this.requests.map(async (request) => {
      const version = await (await request.response())?.httpVersion();
      return `${request.method()} ${new URL(request.url()).pathname} ${version}`;
    });
    return Promise.all(texts);
  }
}

export interface Sync {
  readonly harbor: () => Harbor;
  readonly server: () => ServerProcess;
  /** Opens the application, in a browser session of its own. Default: with the address of the server. */
  readonly open: (options?: { readonly api?: string }) => Promise<SyncPage>;
  /** Starts another server over the database, which ends after the test. */
  readonly launch: (options: ServerOptions) => Promise<ServerProcess>;
  /** Ends the server as a crash would, and starts it again. */
  readonly crash: () => Promise<void>;
  /** The rows that GET sends. */
  readonly read: () => Promise<readonly Task[]>;
  /** How often each write took effect, by `TASK N`. */
  readonly written: () => Promise<ReadonlyMap<string, number>>;
  /** Seconds for which the tokens are valid that pages get from now on. */
  readonly shortenTokens: (seconds: number) => void;
  /** How many tokens the pages of a test have got. */
  readonly tokenCount: () => number;
}

/** Call this within `describeInBrowser`. */
export function useSync(): Sync {
  let harbor: Harbor;
  let server: ServerProcess;
  let front: Server;
  let browser: Browser;
  const opened: SyncPage[] = [];
  const tokens = { seconds: 3600, count: 0 };
  let script = '';
  const start = (ports?: ServerProcess): Promise<ServerProcess> =>
    startServerProcess(serverOptions(harbor), ports && { ports });

  beforeAll(async () => {
    [harbor, script] = await Promise.all([useLiveHarbor(renderSchema), bundlePage()]);
    [server, browser] = await Promise.all([start(), sharedChromium()]);
    front = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      if (pathname === '/token') {
        tokens.count += 1;
        const exp = Math.floor(Date.now() / 1000) + tokens.seconds;
        response.end(signToken({ role: harbor.user, sub: 'ann', exp }, SECRET));
      } else if (pathname === '/page.js') response.setHeader('Content-Type', 'text/javascript').end(script);
      else if (pathname === '/') response.setHeader('Content-Type', 'text/html').end(PAGE);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    Object.assign(tokens, { seconds: 3600, count: 0 });
    await Promise.all(opened.splice(0).map(({ context }) => context.close()));
    await harbor.sql(`truncate api.task; ${FIRST_TASKS}; truncate private.written`);
  });

  afterAll(async () => {
    await closePages(browser);
    front.closeAllConnections();
    front.close();
    await server.stop();
  });

  return {
    harbor: () => harbor,
    server: () => server,
    async open({ api = `http://127.0.0.1:${server.port}` } = {}) {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      const sync = new SyncPage(page);
      page.on('request', (request) => {
        if (request.url().startsWith(api)) sync.requests.push(request);
      });
      opened.push(sync);
      const query = new URLSearchParams({ api, lists: String(LISTS) });
      await page.goto(`http://127.0.0.1:${portOf(front)}/?${String(query)}`);
      await sync.call('ready');
      return sync;
    },
    async launch(options) {
      const other = await startServerProcess({ ...serverOptions(harbor), ...options });
      onTestFinished(async () => void (await other.stop()));
      return other;
    },
    async crash() {
      process.kill(server.pid ?? 0, 'SIGKILL');
      await server.stop();
      server = await start(server);
    },
    async read() {
      const response = await fetch(`http://127.0.0.1:${server.port}/task?order=id`, {
        headers: { authorization: `Bearer ${signToken({ role: harbor.user, sub: 'ann' }, SECRET)}` },
      });
      return (await response.json()) as readonly Task[];
    },
    async written() {
      const rows = await harbor.query(`select task || ' ' || n, count(*)::int from private.written group by 1`);
      return new Map(rows.map(([write, count]) => [String(write), Number(count)]));
    },
    shortenTokens: (seconds) => (tokens.seconds = seconds),
    tokenCount: () => tokens.count,
  };
}

const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><body></body><script type="module" src="/page.js"></script>';

function serverOptions(harbor: Harbor): ServerOptions {
  return {
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-pool': 4,
    'jwt-secret': SECRET,
    'live-publication': PUBLICATION,
    'live-ignore-claims': 'exp',
    'db-idempotency-schema': 'keys',
    'log-level': 'crit',
  };
}

function renderSchema({ user }: Harbor): string {
  return `
    create table api.task (id int primary key, list int not null, n int not null, title text not null);
    create schema private;
    create table private.written (task int, n int);
    create function private.note() returns trigger language plpgsql security definer as $$ begin
      insert into private.written values (new.id, new.n);
      return new;
    end $$;
    ${FIRST_TASKS};
    create trigger note after insert or update of n on api.task for each row execute function private.note();
    grant select, insert, update, delete on api.task to ${user};
    create publication ${PUBLICATION} for table api.task;
    ${renderIdempotencySetup('keys').join('\n')}`;
}

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('sync-page.js', import.meta.url)), formats: ['es'] },
    },
  });
  const [{ output }] = built as unknown as [{ readonly output: readonly [{ readonly code: string }] }];
  return output[0].code;
}

/** When nothing changes any more, all pages have the rows of GET. */
export async function expectEqual(sync: Sync, pages: readonly SyncPage[]): Promise<void> {
  const rows = JSON.stringify(await sync.read());
  for (const page of pages) {
    let seen = '';
    await until(async () => (seen = JSON.stringify(await page.rows())) === rows, {
      why: () => `${seen} is not ${rows}`,
    });
  }
}

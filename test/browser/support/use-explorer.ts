// One server with its own database and one browser for the tests of a file. Each test gets a fresh page and fails on
// any unexpected error of that page.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createDatabase, loadFixture, runSql, type TestDatabase } from '../../support/database.ts';
import type { EmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { startLogicalPostgres } from '../../support/own-postgres.ts';
import { type ServerOptions, type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { closePages, sharedChromium } from './chromium.ts';
import { signToken } from '../../../tools/token/issue-token.ts';
import { type PageWatch, watchPage } from './watch-page.ts';

const DEMO_SQL = new URL('../../../tools/demo/demo.sql', import.meta.url).pathname;
export const SECRET = 'a secret of the tests, long enough for HS256';
/** Timeout for actions on a page, sufficient on a loaded machine. */
const TIMEOUT_MS = 30_000;

export interface ExplorerPage {
  readonly page: Page;
  readonly watch: PageWatch;
  /** Returns the request URL of the current place, decoded from the fragment. */
  readonly address: () => string;
  /** Like `address`, without the order by `id` that the explorer adds to reads without one. */
  readonly unordered: () => string;
}

export interface Explorer {
  /** `http://127.0.0.1:…` */
  readonly origin: () => string;
  readonly database: () => TestDatabase;
  /** Opens the explorer at a fragment such as `#/houses`; `''` is the start. Pages without options share a cache. */
  readonly open: (hash: string, options?: BrowserContextOptions) => Promise<ExplorerPage>;
  /** Like `open`, with a token already entered. */
  readonly openAs: (hash: string, token: string, options?: BrowserContextOptions) => Promise<ExplorerPage>;
  /** Returns the key in the link that `rowhouse dev` has printed. */
  readonly devKey: () => string;
  /** Returns a token of the demo's user. */
  readonly token: (claims?: Readonly<Record<string, unknown>>) => string;
  /** Stops the server; the next start replaces it. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

export interface ExplorerOptions {
  /** Statements to run after the demo's schema is loaded. */
  readonly sql?: string;
  readonly server?: ServerOptions;
  /** Whether changes can be watched, which takes a PostgreSQL of its own. */
  readonly isLive?: boolean;
  /** Whether `rowhouse dev` serves. */
  readonly isDev?: boolean;
  /** The login role of the server; defaults to a superuser. */
  readonly login?: string;
  /** Whether `rowhouse dev` gets the superuser as `--inspect-uri`. */
  readonly isInspecting?: boolean;
}

interface OpenedPage extends ExplorerPage {
  readonly context: BrowserContext;
}

/** Call this within `describeInBrowser`. */
export function useExplorer(options: ExplorerOptions = {}): Explorer {
  const { sql = '', isLive = false } = options;
  let postgres: EmbeddedPostgres | undefined;
  let database: TestDatabase;
  let server: ServerProcess;
  let browser: Browser;
  let shared: BrowserContext;
  let opened: OpenedPage[] = [];
  const origin = (): string => `http://127.0.0.1:${server.port}`;

  beforeAll(async () => {
    if (isLive) postgres = await startLogicalPostgres();
    database = await createDatabase(postgres === undefined ? {} : { server: postgres.uri });
    await loadFixture(database.uri, DEMO_SQL);
    await runSql(database.uri, sql);
    [server, browser] = await Promise.all([startServer(database, options), sharedChromium()]);
    shared = await newContext(browser, {});
  });

  afterEach(async () => {
    const problems = opened.flatMap(({ watch }) => watch.problems());
    await Promise.all(opened.map(({ page, context }) => (context === shared ? page.close() : context.close())));
    opened = [];
    expect(problems).toEqual([]);
  });

  afterAll(async () => {
    await closePages(browser);
    await server.stop();
    await database.drop();
    await postgres?.stop();
  });

  const prepare = async (options?: BrowserContextOptions): Promise<ExplorerPage> => {
    const context = options === undefined ? shared : await newContext(browser, options);
    const explorerPage = await preparePage(context, origin());
    opened.push({ ...explorerPage, context });
    return explorerPage;
  };

  return {
    origin,
    database: () => database,
    async open(hash, options) {
      const explorerPage = await prepare(options);
      await explorerPage.page.goto(`${origin()}/${hash}`);
      return explorerPage;
    },
    async openAs(hash, token, options) {
      const explorerPage = await prepare(options);
      await explorerPage.page.addInitScript(`sessionStorage.setItem('rowhouse.token', ${JSON.stringify(token)})`);
      await explorerPage.page.goto(`${origin()}/${hash}`);
      return explorerPage;
    },
    stop: async () => void (await server.stop()),
    async start() {
      server = await startServer(database, options, server);
    },
    devKey: () => /\/#key=([\w-]+)\n/u.exec(server.output().stdout)?.[1] ?? '',
    token: (claims = { role: 'demo_user', resident_id: 1 }) => signToken(claims, SECRET),
  };
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

async function preparePage(context: BrowserContext, origin: string): Promise<ExplorerPage> {
  const page = await context.newPage();
  const watch = await watchPage(page, origin);
  const address = (): string => decodeURIComponent(new URL(page.url()).hash.slice(1));
  return { page, watch, address, unordered: () => withoutKeyOrder(address()) };
}

function withoutKeyOrder(url: string): string {
  return url.replace(/\?order=id&/u, '?').replace(/[?&]order=id(?=&|$)/u, '');
}

async function startServer(
  database: TestDatabase,
  { server: options, isDev = false, login, isInspecting = false }: ExplorerOptions,
  ports?: Pick<ServerProcess, 'port' | 'adminPort'>,
): Promise<ServerProcess> {
  const all = {
    'db-uri':
      login === undefined ? database.uri : Object.assign(new URL(database.uri), { username: login, password: '' }).href,
    'db-schemas': 'api',
    'db-anon-role': 'demo_anon',
    'db-aggregates-enabled': true,
    'db-plan-enabled': true,
    'jwt-secret': SECRET,
    'server-explorer': true,
    'log-level': 'crit',
    ...options,
  };
  const inspection = isInspecting ? [`--inspect-uri=${database.uri}`] : [];
  const programArguments = isDev ? ['dev', ...inspection] : [];
  return await startServerProcess(all, ports === undefined ? { programArguments } : { programArguments, ports });
}

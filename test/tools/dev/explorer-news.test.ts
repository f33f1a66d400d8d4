// What pages of the explorer are told about saves, how they answer questions, and who may do either.
import { describe, expect, test } from 'vitest';
import { DEV_PATHS, type DevNews, type SaveQuestion } from '../../../src/contract/dev-news.ts';
import { type BodyStream, isStream } from '../../../src/contract/body-stream.ts';
import type { HttpRequest, HttpResponse } from '../../../src/contract/http.ts';
import type { Result } from '../../../src/contract/result.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { ExplorerNews } from '../../../tools/dev/explorer-news.ts';
import { createNewsRoutes } from '../../../tools/dev/news-routes.ts';
import { signToken } from '../../../tools/token/issue-token.ts';

const KEY = 'the key of one start of rowhouse dev, with many bytes';
const QUESTION: SaveQuestion = { kind: 'loss', losses: ['table items with 3 rows'] };

interface OpenPage {
  readonly news: DevNews[];
  hasEnded: boolean;
}

function read(body: BodyStream): OpenPage {
  const page: OpenPage = { news: [], hasEnded: false };
  body.read({
    take(piece) {
      const data = /^event: message\ndata: (?<json>.+)\n\n$/u.exec(Buffer.from(piece).toString())?.groups?.['json'];
      page.news.push(JSON.parse(data ?? '') as DevNews);
      return true;
    },
    end: () => (page.hasEnded = true),
    fail: () => (page.hasEnded = true),
  });
  return page;
}

function open(news: ExplorerNews): OpenPage {
  const body = news.open();
  if (body === undefined) throw new Error('no page can be opened');
  return read(body);
}

const savesOf = ({ news }: OpenPage): readonly unknown[] => news.map(({ save }) => save.kind);

test('P12 a page gets the state when it connects, and each change', () => {
  const news = new ExplorerNews();
  const first = open(news);
  const broken = { kind: 'broken', problems: [{ position: 'schema/a.sql:1', message: 'no', source: [] }] } as const;
  news.show(broken);
  const second = open(news);
  news.show({ kind: 'none' });
  expect(savesOf(first)).toEqual(['none', 'broken', 'none']);
  expect(second.news.map(({ save }) => save)).toEqual([broken, { kind: 'none' }]);
  news.close();
  expect([first.hasEnded, second.hasEnded, news.open()]).toEqual([true, true, undefined]);
});

test('P17 each load of the schema has another name, also after a restart', () => {
  const [news, restarted] = [new ExplorerNews(), new ExplorerNews()];
  const pages = [open(news), open(restarted)];
  news.noteLoad();
  expect(new Set(pages.flatMap((page) => page.news.map(({ schema }) => schema))).size).toBe(3);
});

test('more pages than 100 are refused until one is closed', () => {
  const news = new ExplorerNews();
  const bodies = Array.from({ length: 100 }, () => news.open());
  expect(news.open()).toBeUndefined();
  bodies[0]?.cancel();
  expect(news.open()).toBeDefined();
});

describe('questions', () => {
  const questionOf = ({ news }: OpenPage): { readonly id: string } => {
    const save = news.at(-1)?.save;
    if (save?.kind !== 'question') throw new Error('no question is open');
    expect(save.question).toEqual(QUESTION);
    return save;
  };

  test('P10 the first answer counts, and every page forgets the question', async () => {
    const news = new ExplorerNews();
    const pages = [open(news), open(news)];
    const asked = news.ask(QUESTION, new AbortController().signal);
    const { id } = questionOf(pages[1] as OpenPage);
    expect(news.answer({ id: 'another', answer: true })).toBe(false);
    expect(news.answer({ id, answer: false })).toBe(true);
    expect(news.answer({ id, answer: true })).toBe(false);
    expect(await asked).toBe(false);
    expect(pages.map(savesOf)).toEqual([
      ['none', 'question', 'none'],
      ['none', 'question', 'none'],
    ]);
  });

  test('P10 an answer elsewhere withdraws it', async () => {
    const news = new ExplorerNews();
    const page = open(news);
    const elsewhere = new AbortController();
    const asked = news.ask(QUESTION, elsewhere.signal);
    const { id } = questionOf(page);
    elsewhere.abort();
    expect(await asked).toBeUndefined();
    expect(savesOf(page)).toEqual(['none', 'question', 'none']);
    expect(news.answer({ id, answer: true })).toBe(false);
    expect(await news.ask(QUESTION, elsewhere.signal)).toBeUndefined();
    expect(savesOf(page)).toHaveLength(3);
  });
});

describe('the routes', () => {
  const now = (): number => Math.floor(Date.now() / 1000);
  const token = (claims: object = {}, key: string = KEY): string =>
    `Bearer ${signToken({ purpose: 'access', exp: now() + 60, ...claims }, key)}`;

  interface Sent extends Partial<Pick<HttpRequest, 'path' | 'method'>> {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly address?: string;
  }

  async function send(news: ExplorerNews, sent: Sent): Promise<Result<HttpResponse, ApiError> | undefined> {
    const { path = DEV_PATHS.answer, method = 'POST', headers = {}, body = '', address = '127.0.0.1' } = sent;
    const request: HttpRequest = {
      method,
      path,
      rawQuery: '',
      headers: Object.entries({ host: 'localhost:3000', ...headers }),
      body: Buffer.from(JSON.stringify(body)),
    };
    const client = { address, httpVersion: '1.1' };
    const routes = createNewsRoutes({ key: KEY, config: () => ({ serverHost: 'localhost' }), news });
    return routes.find((route) => route.admits(request, client))?.answer(request, client);
  }

  const refusalOf = async (sent: Sent): Promise<unknown> => {
    const sending = await send(new ExplorerNews(), sent);
    return sending?.ok === false ? sending.error.kind : sending;
  };

  test('P12 pages of this server read the news without a token', async () => {
    const sending = await send(new ExplorerNews(), {
      path: DEV_PATHS.news,
      method: 'GET',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    if (sending?.ok !== true || !isStream(sending.value.body)) throw new Error('no stream');
    expect([sending.value.status, sending.value.headers]).toEqual([
      200,
      [
        ['Content-Type', 'text/event-stream'],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
    ]);
    expect(savesOf(read(sending.value.body))).toEqual(['none']);
  });

  test.each<[who: string, sent: Sent, kind: string]>([
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 'sourceNotAllowed'],
    ['a page of another port', { headers: { origin: 'http://localhost:4000' } }, 'sourceNotAllowed'],
    ['a page of another name for this machine', { headers: { host: 'evil.example' } }, 'sourceNotAllowed'],
    ['another machine', { address: '192.168.1.7' }, 'sourceNotAllowed'],
  ])('P12 P10 %s reads and answers nothing', async (_, sent, kind) => {
    expect(await refusalOf({ ...sent, path: DEV_PATHS.news, method: 'GET' })).toBe(kind);
    expect(await refusalOf({ ...sent, headers: { authorization: token(), ...sent.headers } })).toBe(kind);
  });

  test.each<[what: string, sent: Sent, kind: string]>([
    ['news by POST', { path: DEV_PATHS.news }, 'methodUnsupported'],
    ['an answer by GET', { method: 'GET', headers: { authorization: token() } }, 'methodUnsupported'],
    ['no token', {}, 'tokenInvalid'],
    ['a token of another key', { headers: { authorization: token({}, `${KEY} `) } }, 'tokenInvalid'],
    ['a token for another purpose', { headers: { authorization: token({ purpose: 'else' }) } }, 'claimsInvalid'],
    ['no answer', { headers: { authorization: token() }, body: { id: 'x' } }, 'invalidBody'],
  ])('P10 %s is refused', async (_, sent, kind) => {
    expect(await refusalOf(sent)).toBe(kind);
  });

  test('P10 a page with the key answers, once', async () => {
    const news = new ExplorerNews();
    const page = open(news);
    const asked = news.ask(QUESTION, new AbortController().signal);
    const save = page.news.at(-1)?.save;
    const answer = async (): Promise<unknown> => {
      const body = { id: save?.kind === 'question' ? save.id : '', answer: true };
      const sending = await send(news, { headers: { authorization: token() }, body });
      return sending?.ok === true
        ? [sending.value.status, Buffer.from(sending.value.body as Uint8Array).toString()]
        : 0;
    };
    expect(await answer()).toEqual([200, '{"isAccepted":true}']);
    expect(await asked).toBe(true);
    expect(await answer()).toEqual([200, '{"isAccepted":false}']);
  });

  test('P51 without a key there are none', () => {
    const parts = { config: () => ({ serverHost: 'localhost' }), news: new ExplorerNews() };
    expect(createNewsRoutes({ key: undefined, ...parts })).toEqual([]);
  });
});

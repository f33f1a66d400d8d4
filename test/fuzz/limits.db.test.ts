// Limits on URLs: requests up to a limit are answered, requests beyond it are rejected at once with an explanation.
import { describe, expect, test } from 'vitest';
import { ask } from '../support/http-client.ts';
import { startReadingServer, type ReadingServer } from '../support/reading-server.ts';
import { use } from '../support/use.ts';

const server = await use(startReadingServer({}));
const strict = await use(
  startReadingServer({
    'url-max-length': 60,
    'url-max-embed-depth': 1,
    'url-max-embeds': 2,
    'url-max-logic-depth': 1,
    'url-max-select-items': 3,
    'url-max-path-steps': 2,
    'url-max-brackets': 5,
  }),
);
const lenient = await use(startReadingServer({ 'url-max-path-steps': 100_000 }));

async function get({ port }: ReadingServer, url: string, headers = {}): Promise<{ status: number; body: unknown }> {
  const { status, body } = await ask(port, { method: 'GET', url, headers });
  return { status, body: JSON.parse(body) as unknown };
}

function refused(status: number, details: string, option: string | undefined): unknown {
  const hint = option === undefined ? null : `The operator sets this limit with ${option}`;
  return { status, body: { code: 'SVC129', message: 'The request exceeds a limit of this server', details, hint } };
}

function nest(times: number, start: string, end: string): string {
  return start.repeat(times) + end + ')'.repeat(times);
}

function list(times: number, make: (index: number) => string): string {
  return Array.from({ length: times }, (_, index) => make(index)).join();
}

interface Limit {
  readonly name: string;
  readonly limit: number;
  readonly url: (size: number) => string;
  readonly refusal: readonly [details: string, option: string];
}

const LIMITS: readonly Limit[] = [
  {
    name: 'nested embeds',
    limit: 32,
    url: (size) => `/crates?limit=1&select=${nest(size, 'crates(', 'id')}`,
    refusal: ['embedded resources nest up to 32 levels deep', 'url-max-embed-depth'],
  },
  {
    name: 'nested spreads',
    limit: 32,
    url: (size) => `/crates?limit=1&select=${nest(size, '...parent_id(', 'id')}`,
    refusal: ['embedded resources nest up to 32 levels deep', 'url-max-embed-depth'],
  },
  {
    name: 'embeds',
    limit: 64,
    url: (size) => `/boats?limit=1&select=${list(size, (index) => `a${index}:harbours(id)`)}`,
    refusal: ['select has up to 64 embedded resources', 'url-max-embeds'],
  },
  {
    name: 'nested groups',
    limit: 64,
    url: (size) => `/crates?or=(${nest(size - 1, 'id.eq.1,and(', 'id.eq.1')})`,
    refusal: ['and/or groups nest up to 64 levels deep', 'url-max-logic-depth'],
  },
  {
    name: 'items of select',
    limit: 1000,
    url: (size) => `/crates?limit=1&select=${list(size, () => 'id')}`,
    refusal: ['select has up to 1000 items', 'url-max-select-items'],
  },
  {
    name: 'terms of order',
    limit: 1000,
    url: (size) => `/boats?order=${list(size, (index) => `meta->k${index}`)}`,
    refusal: ['order has up to 1000 terms', 'url-max-select-items'],
  },
  {
    name: 'steps of a path in select',
    limit: 100,
    url: (size) => `/boats?limit=1&select=meta${'->a'.repeat(size)}`,
    refusal: ['a path into a JSON value has up to 100 steps', 'url-max-path-steps'],
  },
  {
    name: 'steps of a path in a filter',
    limit: 100,
    url: (size) => `/boats?meta${'->a'.repeat(size)}=eq.1`,
    refusal: ['a path into a JSON value has up to 100 steps', 'url-max-path-steps'],
  },
  {
    name: 'levels of a JSON value',
    limit: 4000,
    url: (size) => `/boats?meta=cs.${'['.repeat(size)}${']'.repeat(size)}`,
    refusal: ['a value has up to 4000 opening brackets', 'url-max-brackets'],
  },
];

describe('by default', () => {
  test.each(LIMITS)('$name up to $limit are accepted, more are rejected', async ({ limit, url, refusal }) => {
    expect(await get(server, url(limit))).toMatchObject({ status: 200 });
    expect(await get(server, url(limit + 1))).toEqual(refused(400, ...refusal));
  });

  test('a URL up to 100000 characters is accepted, a longer one rejected', async () => {
    const longest = '/boats?label=eq.'.padEnd(100_000, 'x');
    expect(await get(server, longest)).toEqual({ status: 200, body: [] });
    expect(await get(server, `${longest}x`)).toEqual(
      refused(414, 'URLs have up to 100000 characters', 'url-max-length'),
    );
  });

  test('more values and keys than a statement can have parameters are rejected', async () => {
    const url = `/boats?limit=1&meta${'->1'.repeat(32_900)}=eq.1`;
    expect(await get(lenient, url, { Prefer: 'count=exact' })).toEqual(
      refused(400, 'values and keys of a request make up to 65535 parameters', undefined),
    );
  });

  test('a null filter on an embed that is repeated thousands of times is evaluated once', async () => {
    const url = `/boats?select=id,x:harbours()&x.name=eq.Oslo&or=(${list(5000, () => 'x.is.null')})&order=id`;
    expect(await get(server, url, { Prefer: 'count=exact' })).toMatchObject({
      status: 200,
      body: [{ id: 3 }, { id: 4 }],
    });
  });
});

describe('limits set by the operator', () => {
  test.each([
    ['/boats?select=harbours(boats())', 'embedded resources nest up to 1 levels deep', 'url-max-embed-depth'],
    ['/boats?select=a:permits(),b:permits(),c:permits()', 'select has up to 2 embedded resources', 'url-max-embeds'],
    ['/boats?or=(and(id.eq.1))', 'and/or groups nest up to 1 levels deep', 'url-max-logic-depth'],
    ['/boats?select=id,id,id,id', 'select has up to 3 items', 'url-max-select-items'],
    ['/boats?select=meta->a->b->c', 'a path into a JSON value has up to 2 steps', 'url-max-path-steps'],
    ['/boats?meta=cs.[[[[[[', 'a value has up to 5 opening brackets', 'url-max-brackets'],
    ['/boats?order=id,id,id,id', 'order has up to 3 terms', 'url-max-select-items'],
  ])('%s', async (url, details, option) => {
    expect(await get(strict, url)).toEqual(refused(400, details, option));
  });

  test('a URL of at most 60 characters', async () => {
    expect(await get(strict, `/boats?label=eq.${'x'.repeat(44)}`)).toMatchObject({ status: 200 });
    expect(await get(strict, `/boats?label=eq.${'x'.repeat(45)}`)).toEqual(
      refused(414, 'URLs have up to 60 characters', 'url-max-length'),
    );
  });

  test('a malformed request within the limits is reported as malformed', async () => {
    expect(await get(strict, '/boats?select=id,,')).toMatchObject({ status: 400, body: { code: 'SVC100' } });
  });
});

// Operators that compare with literal text (`beyond.md` §1.5).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { useExtensionServers } from './extension-servers.ts';

const harbor = await useHarbor();

const TITLES = ['100%', '100 percent', 'A_b', 'axb', 'back\\slash', 'star*', 'Star', ''];

const rows = TITLES.map((title, index) => `(${index}, '${title}')`).join(',');
await harbor.sql(`
    create table api.page (id int primary key, title text, raw bytea, names text[]);
    insert into api.page values ${rows}, (99, null);
    grant select, update on api.page to ${harbor.anon};
    create function api.find(name text) returns text language sql immutable as 'select name';
    create table api.word (word text);
    insert into api.word select 'w' || n from generate_series(1, 20000) as n;
    create index on api.word (word text_pattern_ops);
    analyze api.word;
    grant select on api.word to ${harbor.anon}`);
const servers = await useExtensionServers(harbor, 'text', { 'db-tx-end': 'rollback' });

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const read = (query: string): Promise<unknown> =>
    servers.on[dialect].json(`/page?select=title&order=id&${query}`).then((rows) => {
      if (!Array.isArray(rows)) return rows;
      return (rows as readonly { readonly title: string }[]).map(({ title }) => title);
    });

  test.each([
    ['title=has.100%25', ['100%']],
    ['title=starts.100', ['100%', '100 percent']],
    ['title=ends.%25', ['100%']],
    ['title=has._', ['A_b']],
    ['title=istarts.a_', ['A_b']],
    ['title=starts.a_', []],
    ['title=has.\\', ['back\\slash']],
    ['title=ends.\\slash', ['back\\slash']],
    ['title=has.*', ['star*']],
    ['title=starts.star', ['star*']],
    ['title=istarts.STAR', ['star*', 'Star']],
    ['title=iends.*', ['star*']],
    ['title=ihas.XB', ['axb']],
    ['title=not.has.a', ['100%', '100 percent', 'A_b', 'Star', ''].filter((title) => !title.includes('a'))],
  ])('B14 %s', async (query, titles) => {
    expect(await read(query)).toEqual(titles);
  });

  test.each(['starts', 'ends', 'has', 'istarts', 'iends', 'ihas'])(
    'B14 %s: an empty value matches every value that is not null',
    async (operator) => {
      expect(await read(`title=${operator}.`)).toEqual(TITLES);
      expect(await read(`or=(title.${operator}."",id.eq.99)`)).toEqual([...TITLES, null]);
    },
  );

  test.each([
    ['title=starts(any).{100%25,A_}', ['100%', 'A_b']],
    ['title=ihas(all).{S,*}', ['star*']],
    ['title=has(any).{"\\\\"}', ['back\\slash']],
    ['title=ends(any).{}', []],
    ['or=(title.has.%25,title.ends(any).{b})', ['100%', 'A_b', 'axb']],
    ['and=(title.has."100%25",title.not.has."0%20p")', ['100%']],
  ])('B14 several values and trees: %s', async (query, titles) => {
    expect(await read(query)).toEqual(titles);
  });

  test('B14 a field that is not text has no such operator', async () => {
    for (const query of ['id=has.1', 'raw=starts.a', 'names=has(any).{a}'])
      expect(await servers.on[dialect].json(`/page?${query}`)).toMatchObject({ code: '42883' });
  });

  test('B14 writes take the operators', async () => {
    const body = JSON.stringify({ raw: '\\x00' });
    const headers = { 'Content-Type': 'application/json', Prefer: 'return=representation' };
    const { text } = await servers.on[dialect].get('/page?title=has._&select=title', {
      method: 'PATCH',
      headers,
      body,
    });
    expect(JSON.parse(text)).toEqual([{ title: 'A_b' }]);
  });

  test('B54 without the extension the operators are unknown', async () => {
    const server = servers.off[dialect];
    const code = dialect === 'svc' ? 'SVC100' : 'PGRST100';
    expect(await server.json('/page?title=has.x')).toMatchObject({
      code,
      message: '"failed to parse filter (has.x)" (line 1, column 1)',
      details: 'unexpected "h" expecting "not" or operator (eq, gt, ...)',
    });
    expect(await server.json('/page?or=(title.istarts.x)')).toMatchObject({ code });
    expect(await server.json('/rpc/find?name=has.x')).toBe('has.x');
  });
});

test('B15 starts uses an index for patterns', async () => {
  const headers = { Accept: 'application/vnd.svc.plan+json; options=analyze' };
  const planned = await startLocalServer(harbor, { 'db-plan-enabled': true });
  try {
    for (let time = 0; time < 8; time += 1) {
      const { text } = await planned.get('/word?word=starts.w1999&select=word', { headers });
      expect(text).toContain('~>=~');
    }
    expect(await planned.json('/word?word=starts.w19999')).toEqual([{ word: 'w19999' }]);
  } finally {
    await planned.stop();
  }
});

// Keyset pages over a real server: links, tokens, orders with nulls and duplicates, and the plans of late pages
// (`beyond.md` §1.6).
import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long-form.ts';
import { useHarbor } from '../support/harbor.ts';
import { type Answer, startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();
const PAGING = { Prefer: 'paging=cursor' };

await harbor.sql(`
    create table api.port (id int primary key, name text);
    insert into api.port select n, case when n % 4 > 0 then 'port ' || n % 4 end from generate_series(1, 9) n;
    create table api.boat (
      yard text, number int, port_id int references api.port, built int, kind text not null, meta jsonb, after text,
      primary key (yard, number));
    insert into api.boat select 'yard ' || n % 3, n, nullif(n % 10, 0), nullif(n % 7, 0), 'kind ' || n % 2,
      case when n % 5 > 0 then jsonb_build_object('hull', n % 5) end, 'x' from generate_series(1, 60) n;
    create view api.fleet as select * from api.boat;
    create view api.total as select kind, count(*) from api.boat group by kind;
    create table api.crate (id int primary key, weight int not null, label text);
    create index on api.crate (weight, id);
    create index on api.crate (weight desc, id);
    create index on api.crate (label, id);
    insert into api.crate select n, n % 50, case when n % 3 > 0 then 'label ' || n % 20 end
      from generate_series(1, 20000) n;
    create table api.base (id int primary key);
    create table api.heir () inherits (api.base);
    create function api.title(api.boat) returns text stable language sql as $$ select $1.kind || $1.built $$;
    create function api.passing(after text) returns text stable language sql as 'select after';
    analyze;
    grant select on all tables in schema api to ${harbor.anon}`);
const server = await use(startLocalServer(harbor, { 'db-aggregates-enabled': true, 'db-plan-enabled': true }));
const plain = await use(startLocalServer(harbor, { extensions: 'none' }));
const other = await use(startLocalServer(harbor, { dialect: 'postgrest', extensions: 'cursor' }));

function get(target: string, from = server): Promise<Answer> {
  return from.get(target, { headers: PAGING });
}

interface Links {
  readonly next?: string;
  readonly prev?: string;
  readonly first?: string;
}

function linkOf({ headers }: Pick<Answer, 'headers'>): string {
  return String(headers['link']);
}

/** Returns the targets of the links by relation. */
function linksOf({ headers }: Answer): Links {
  const links = linkOf({ headers }).matchAll(/<(\?[^>]*)>; rel="(\w+)"/gu);
  return Object.fromEntries([...links].map(([, target, relation]) => [relation, target]));
}

async function walk(path: string, relation: 'next' | 'prev', start: string): Promise<readonly unknown[][]> {
  const pages: unknown[][] = [];
  for (let query: string | undefined = start; query !== undefined;) {
    const answer = await get(path + query);
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^\[/u)]);
    pages.push(JSON.parse(answer.text) as unknown[]);
    expect(pages.length).toBeLessThan(100);
    query = linksOf(answer)[relation];
  }
  return pages;
}

describe('links', () => {
  test('B16 the first page links to the next and to itself, with all other parameters', async () => {
    const answer = await get('/boat?select=number&kind=eq.kind%201&order=number.desc&limit=2');
    expect([answer.status, answer.text, answer.headers['preference-applied'], answer.headers['content-range']]).toEqual(
      [200, '[{"number":59}, \n {"number":57}]', 'paging=cursor', '0-1/*'],
    );
    const base = '?select=number&kind=eq.kind%201&order=number.desc&limit=2';
    expect(linkOf(answer)).toMatch(
      new RegExp(
        `^<${base.replaceAll(/[?.]/gu, String.raw`\$&`)}&after=[\\w-]+>; rel="next", <${base.replaceAll(/[?.]/gu, String.raw`\$&`)}>; rel="first"$`,
        'u',
      ),
    );
  });

  test('B16 a page in the middle links to both sides, the last one only back', async () => {
    const first = await get('/port?select=id&limit=4');
    const second = await get(`/port${linksOf(first).next}`);
    expect([second.text, Object.keys(linksOf(second))]).toEqual([
      '[{"id":5}, \n {"id":6}, \n {"id":7}, \n {"id":8}]',
      ['next', 'prev', 'first'],
    ]);
    const last = await get(`/port${linksOf(second).next}`);
    expect([last.text, Object.keys(linksOf(last))]).toEqual(['[{"id":9}]', ['prev', 'first']]);
    const back = await get(`/port${linksOf(second).prev}`);
    expect([back.text, Object.keys(linksOf(back))]).toEqual([first.text, ['next', 'first']]);
  });

  test('B16 a page that holds everything links only to itself', async () => {
    expect(linkOf(await get('/port?limit=9'))).toBe('<?limit=9>; rel="first"');
    expect(linkOf(await get('/port?id=gt.100&limit=9'))).toBe('<?id=gt.100&limit=9>; rel="first"');
  });

  test('B16 HEAD has the same headers as GET', async () => {
    const [got, head] = await Promise.all([
      get('/port?limit=2'),
      server.get('/port?limit=2', { method: 'HEAD', headers: PAGING }),
    ]);
    expect([head.status, linkOf(head), head.text]).toEqual([200, linkOf(got), '']);
  });

  test('B16 db-max-rows is a limit', async () => {
    const capped = await startLocalServer(harbor, { 'db-max-rows': 3 });
    const answer = await get('/port', capped);
    expect([answer.status, Object.keys(linksOf(answer)), JSON.parse(answer.text)]).toHaveProperty('2.length', 3);
    await capped.stop();
  });

  test.each(['text/csv', 'application/x-ndjson', 'application/vnd.svc.array+json;nulls=stripped'])(
    'B16 %s has the same links',
    async (type) => {
      const answer = await server.get('/port?select=id&limit=2', { headers: { ...PAGING, Accept: type } });
      expect([answer.status, linksOf(answer)]).toEqual([200, linksOf(await get('/port?select=id&limit=2'))]);
    },
  );

  test('B16 cached plans link with the values of the request', async () => {
    for (const id of [3, 5, 7]) {
      const answer = await get(`/port?id=gte.${id}&limit=1`);
      expect(linksOf(answer).first).toBe(`?id=gte.${id}&limit=1`);
      expect(JSON.parse((await get(`/port${linksOf(answer).next}`)).text)).toEqual([
        expect.objectContaining({ id: id + 1 }),
      ]);
    }
  });

  test('B16 a page emptied by deletions still links back, and the way back loses nothing', async () => {
    await harbor.sql('create table api.short (id int primary key); insert into api.short values (1), (2), (3)');
    await harbor.sql(`grant select on api.short to ${harbor.anon}`);
    await server.reload();
    const first = await get('/short?limit=2');
    await harbor.sql('delete from api.short where id = 3');
    const empty = await get(`/short${linksOf(first).next}`);
    expect([empty.text, Object.keys(linksOf(empty))]).toEqual(['[]', ['prev', 'first']]);
    expect((await get(`/short${linksOf(empty).prev}`)).text).toBe('[{"id":1}, \n {"id":2}]');
  });

  test('B16 last in Preference-Applied, and in the other dialect', async () => {
    const headers = { Prefer: 'paging=cursor, count=exact, handling=strict' };
    const answer = await other.get('/port?limit=2', { headers });
    expect([answer.status, answer.headers['preference-applied'], answer.headers['content-range']]).toEqual([
      206,
      'count=exact, handling=strict, paging=cursor',
      '0-1/9',
    ]);
    expect(Object.keys(linksOf(answer))).toEqual(['next', 'first']);
  });

  test.each([
    ['/port', "Pages need a 'limit'."],
    ['/total?limit=2', "Pages need a primary key, and none is known for 'total'."],
    ['/base?limit=2', "Pages need a primary key, and none is known for 'base'."],
    ['/boat?select=kind,count()&limit=2', 'Pages cannot be combined with aggregates.'],
    ['/port?limit=2&offset=0', "Pages cannot be combined with 'offset' or the header 'Range'."],
    [
      '/port?select=id,boat(number)&boat.after=x&limit=1',
      "'after' applies to the top level, not to an embedded resource.",
    ],
    [
      '/port?select=id,boat(number)&boat.before=&limit=1',
      "'before' applies to the top level, not to an embedded resource.",
    ],
  ])('B16 %s is refused', async (target, details) => {
    const answer = await get(target);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { code: 'SVC127', message: 'Feature not implemented', details, hint: null },
    ]);
  });

  test('B16 a Range header is refused', async () => {
    const answer = await server.get('/port?limit=2', { headers: { ...PAGING, Range: '0-4' } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('SVC127')]);
  });
});

describe('tokens', () => {
  test('B17 works without the preference, without links; the range is unknown', async () => {
    const { next } = linksOf(await get('/port?select=id&limit=2'));
    const answer = await server.get(`/port${next}`);
    expect([answer.status, answer.text, linkOf(answer), answer.headers['content-range']]).toEqual([
      200,
      '[{"id":3}, \n {"id":4}]',
      'undefined',
      '*/*',
    ]);
    const counted = await server.get(`/port${next}`, { headers: { Prefer: 'count=exact' } });
    expect([counted.status, counted.headers['content-range']]).toEqual([200, '*/9']);
    const unlimited = await server.get(`/port${next?.replace('limit=2&', '')}`, { headers: { Prefer: 'count=exact' } });
    expect([JSON.parse(unlimited.text), unlimited.headers['content-range']]).toEqual([
      [3, 4, 5, 6, 7, 8, 9].map((id) => ({ id })),
      '*/9',
    ]);
  });

  test('B17 holds the order and the values', async () => {
    const { next } = linksOf(await get('/port?order=name.desc&limit=1'));
    const token = Buffer.from(next?.split('after=')[1] ?? '', 'base64url').toString();
    expect(token).toContain('name');
    expect(token).toContain('[null,"4"]');
  });

  test.each(['', 'x', 'after', 'eq', '%3D%3D', 'foo.bar', 'e30', 'bm90IGEgdG9rZW4'])(
    'B17 "%s" is no token',
    async (text) => {
      for (const parameter of ['after', 'before']) {
        const answer = await get(`/port?limit=2&${parameter}=${text}`);
        expect([answer.status, JSON.parse(answer.text)]).toEqual([
          400,
          {
            code: 'SVC132',
            message: 'Invalid page token',
            details: `The value of '${parameter}' is not a token of a page of this relation in this order`,
            hint: expect.stringContaining('rel="next"'),
          },
        ]);
      }
    },
  );

  test('B17 belongs to one relation and order, and is changed by nobody', async () => {
    const token = linksOf(await get('/port?order=name&limit=1')).next?.split('after=')[1] ?? '';
    const changed = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
    const refused = [
      `/port?order=name.desc&after=${token}`,
      `/port?order=name.nullsfirst&after=${token}`,
      `/port?after=${token}`,
      `/crate?order=label&after=${token}`,
      `/port?order=name&after=${changed}`,
      `/port?order=name&after=${token}&before=${token}`,
      `/port?order=name&after=${token}&after=${token}`,
    ];
    for (const target of refused) {
      const { status, text } = await server.get(target);
      expect([target, status, text]).toEqual([target, 400, expect.stringContaining('SVC132')]);
    }
    for (const target of [
      `/port?order=name.asc,id&after=${token}`,
      `/port?order=name.nullslast&id=gt.2&after=${token}`,
    ])
      expect((await server.get(target)).status).toBe(200);
  });

  test('B17 filters on columns of these names, and arguments of functions, stay what they are', async () => {
    expect(await server.json('/boat?after=eq.x&select=number&limit=1&order=number')).toEqual([{ number: 1 }]);
    expect(await server.json('/rpc/passing?after=x')).toBe('x');
    expect((await server.get('/boat?after=in.(x')).text).toContain('SVC100');
    const paged = await get('/boat?after=eq.x&select=number&order=number&limit=1');
    expect((await get(`/boat${linksOf(paged).next}`)).text).toBe('[{"number":2}]');
  });

  test('B17 a forged value is only ever a value', async () => {
    const { encodePageToken } = await import('../../src/extensions/pages/page-token.ts');
    const token = linksOf(await get('/port?limit=1')).next?.split('after=')[1] ?? '';
    const [order] = JSON.parse(Buffer.from(token, 'base64url').toString().slice(8)) as [(readonly unknown[])[]];
    for (const value of ["0'; drop table api.port; --", 'x', '1 or true']) {
      const forged = encodePageToken(order, { values: [value], isInclusive: false });
      expect((await server.get(`/port?after=${forged}`)).status).toBe(400);
    }
  });

  test('B54 without the extension, both are ordinary', async () => {
    const strict = { headers: { Prefer: 'paging=cursor, handling=strict' } };
    expect((await plain.get('/port?limit=1', strict)).text).toContain('Invalid preferences: paging=cursor');
    const lenient = await get('/port?limit=1', plain);
    expect([linkOf(lenient), lenient.headers['preference-applied']]).toEqual(['undefined', undefined]);
    expect(JSON.parse((await plain.get('/port?after=abc')).text)).toMatchObject({
      code: 'SVC100',
      message: '"failed to parse filter (abc)" (line 1, column 1)',
    });
  });
});

const ORDERS: readonly (readonly [order: string, sql: string])[] = [
  ['', ''],
  ['number', 'number'],
  ['number.desc', 'number desc'],
  ['kind', 'kind'],
  ['kind.desc,number.desc,yard.desc', 'kind desc, number desc, yard desc'],
  ['kind.desc,built', 'kind desc, built'],
  ['built', 'built'],
  ['built.desc', 'built desc'],
  ['built.nullsfirst', 'built nulls first'],
  ['built.desc.nullslast,kind', 'built desc nulls last, kind'],
  ['meta->>hull.desc,built', `meta->>'hull' desc, built`],
  ['meta->hull', `meta->'hull'`],
  ['title,number', 'api.title(b), number'],
  ['port(name)', 'p.name'],
  ['port(name).desc.nullslast,built.desc', 'p.name desc nulls last, built desc'],
];

describe('walks', () => {
  test.each(ORDERS)('B18 by "%s" gives every row once, forward and backward', async (order, sql) => {
    for (const [path, key] of [
      ['/boat', 'number, yard'],
      ['/fleet', 'yard, number'],
    ] as const) {
      if (path === '/fleet' && sql.includes('title')) continue;
      const ordered = order === '' ? '' : `&order=${encodeURIComponent(order)}`;
      const start = `?select=number,port(name)${ordered}&number=lte.50&limit=7`;
      const rows = await harbor.query(`
        select number from api.boat b left join api.port p on p.id = b.port_id where number <= 50
        order by ${sql === '' ? key : `${sql}, ${key}`}`);
      const expected = rows.map(([number]) => number);
      const forward = await walk(path, 'next', start);
      expect(forward.flat().map((row) => (row as { number: number }).number)).toEqual(expected);
      const backward = await walk(path, 'prev', await lastPage(path, start));
      expect(backward.toReversed().flat()).toEqual(forward.flat());
    }
  });

  test('B18 with required and tested embeds', async () => {
    const start = '?select=number,port!inner(name)&port.name=eq.port%201&order=built.desc&limit=4';
    const rows = await harbor.query(`select number from api.boat b join api.port p on p.id = b.port_id
      where p.name = 'port 1' order by built desc, number, yard`);
    const pages = await walk('/boat', 'next', start);
    expect(pages.flat().map((row) => (row as { number: number }).number)).toEqual(rows.flat());
    const tested = await walk('/boat', 'next', '?select=number,port()&port=is.null&order=built&limit=2');
    expect(tested.flat()).toHaveLength(6);
  });

  test('B18 rows that stay are given exactly once while others come and go', async () => {
    await harbor.sql(`create table api.moving (id serial primary key, rank int);
      insert into api.moving (rank) select n % 30 from generate_series(1, ${isLong ? 100_000 : 3000}) n;
      grant select on api.moving to ${harbor.anon}`);
    await server.reload();
    const stay = (await harbor.query('select id from api.moving where id % 3 > 0 order by id')).flat();
    const seen: unknown[] = [];
    let query: string | undefined = `?select=id&order=rank.desc&limit=${isLong ? 1000 : 100}`;
    for (let step = 0; query !== undefined; step += 1) {
      const answer = await get(`/moving${query}`);
      seen.push(...(JSON.parse(answer.text) as { id: number }[]).map(({ id }) => id));
      await harbor.sql(`delete from api.moving where id % 3 = 0 and id % 7 = ${step % 7};
        insert into api.moving (rank) select n from generate_series(0, 29) n`);
      query = linksOf(answer).next;
    }
    const initial = new Set(stay);
    const kept = seen.filter((id) => initial.has(id));
    expect(kept.toSorted((a, b) => Number(a) - Number(b))).toEqual(stay);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

/** Follows the links to the last page. */
async function lastPage(path: string, start: string): Promise<string> {
  for (let query = start; ;) {
    const { next } = linksOf(await get(path + query));
    if (next === undefined) return query;
    query = next;
  }
}

describe('plans', () => {
  interface Node {
    readonly 'Node Type': string;
    readonly 'Index Cond'?: string;
    readonly 'Actual Rows'?: number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: readonly Node[];
  }

  function nodesOf(node: Node): readonly Node[] {
    return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  }

  test.each([
    ['weight', [30, 15_030]],
    ['weight.desc,id', [10, 19_960]],
    ['label', ['label 3', 19_963]],
    ['label.desc.nullsfirst,id.desc', ['label 3', 43]],
    ['label', [null, 19_998]],
    ['', [19_000]],
  ])('B19 a late page by "%s" reads few rows, from an index', async (order, values) => {
    const { encodePageToken } = await import('../../src/extensions/pages/page-token.ts');
    const ordered = order === '' ? '' : `&order=${order}`;
    const { next } = linksOf(await get(`/crate?limit=10${ordered}`));
    const token = next?.split('after=')[1] ?? '';
    const [terms] = JSON.parse(Buffer.from(token, 'base64url').toString().slice(8)) as [(readonly unknown[])[]];
    const late = encodePageToken(terms, {
      values: values.map((value) => (value === null ? null : String(value))),
      isInclusive: false,
    });
    const accept = 'application/vnd.svc.plan+json; options=analyze';
    const answer = await server.get(`/crate?limit=10${ordered}&after=${late}`, {
      headers: { ...PAGING, Accept: accept },
    });
    const [{ Plan: root }] = JSON.parse(answer.text) as [{ readonly Plan: Node }];
    const nodes = nodesOf(root);
    const scans = nodes.filter((node) => node['Node Type'].includes('Scan') && !node.Plans);
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan['Node Type']).toMatch(/^Index/u);
    for (const scan of scans)
      expect([scan['Actual Rows'], scan['Rows Removed by Filter'] ?? 0]).toEqual([expect.any(Number), 0]);
    expect(Math.max(...scans.map((scan) => scan['Actual Rows'] ?? 0))).toBeLessThanOrEqual(11);
  });
});

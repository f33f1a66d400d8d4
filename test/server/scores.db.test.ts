// The computed column `score`, over a real server (`beyond.md` §1.10).
import { describe, expect, test } from 'vitest';
import { skipped } from '../support/skipped.ts';
import { useHarbor } from '../support/harbor.ts';
import { startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();
const [[available]] = (await harbor.query(
  `select coalesce(array_agg(name::text), '{}') from pg_available_extensions
   where name in ('pg_trgm', 'cube', 'vector', 'postgis')`,
)) as [[readonly string[]]];
const has = (extension: string): boolean => available.includes(extension);
const PACKAGES = { vector: 'postgresql-15-pgvector', postgis: 'postgresql-15-postgis-3' };
const named = (name: string, extension: keyof typeof PACKAGES): string =>
  skipped(name, has(extension) ? undefined : `no ${extension}: ${PACKAGES[extension]} see CONTRIBUTING.md`);

/**
 * A type with modifiers, made of the functions of numeric. Another one has a name that looks like a modifier.
 */
const GAUGE = ['gauge', '"gauge(1)"']
  .map((name, index) => {
    const at = `tools.${name}`;
    const made = `tools.gauge_${index}`;
    return `create type ${at};
    create function ${made}_in(cstring, oid, int) returns ${at} language internal immutable strict as 'numeric_in';
    create function ${made}_out(${at}) returns cstring language internal immutable strict as 'numeric_out';
    create type ${at} (input = ${made}_in, output = ${made}_out, like = numeric, typmod_in = numerictypmodin,
      typmod_out = numerictypmodout);
    create function ${made}_distance(${at}, ${at}) returns float8 language sql immutable strict as
      'select abs($1::text::float8 - $2::text::float8)';
    create operator tools.<-> (leftarg = ${at}, rightarg = ${at}, function = ${made}_distance);`;
  })
  .join('\n');

await harbor.sql(`
    create schema tools;
    ${has('pg_trgm') ? 'create extension pg_trgm schema tools;' : ''}
    ${has('cube') ? 'create extension cube schema tools;' : ''}
    ${has('vector') ? 'create extension vector schema tools;' : ''}
    ${has('postgis') ? 'create extension postgis schema tools;' : ''}
    grant usage on schema tools to ${harbor.anon};
    create table api.author (id int primary key, name text);
    insert into api.author values (1, 'Mira'), (2, 'Jonas');
    create table api.post (id int primary key, author_id int references api.author, title varchar(40), body text,
      vector tsvector generated always as (to_tsvector('english', body)) stored, meta jsonb, place point, size int);
    insert into api.post (id, author_id, title, body, meta, place, size)
      select n, n % 2 + 1, 'post ' || n, repeat('cats ', n % 5) || 'and dogs', jsonb_build_object('note', 'cats ' || n),
        point(n, n % 7), n from generate_series(1, 30) n;
    create table api.spot (id int primary key, place point, label text);
    insert into api.spot select n, point(n % 100, n / 100), 'label ' || n from generate_series(1, 10000) n;
    create index on api.spot using gist (place);
    ${has('pg_trgm') ? 'create index on api.spot using gist (label tools.gist_trgm_ops);' : ''}
    create table api.result (id int primary key, score int);
    insert into api.result values (1, 7);
    create function api.posts_of(author int) returns setof api.post language sql stable as
      'select * from api.post where author_id = author';
    create function api.slow_posts() returns setof api.post language plpgsql volatile as
      'begin return query select * from api.post; end';
    create function api.scored(score text) returns setof api.post language sql stable as
      'select * from api.post where body = score';
    create function api.words() returns table (word text, place point) language sql stable as
      $$ values ('cats', point(0, 0)), ('dogs', point(3, 4)) $$;
    ${
      has('cube')
        ? `create table api.box (id int primary key, corner tools.cube);
      insert into api.box select n, tools.cube(array[n, n * 2]::float8[]) from generate_series(1, 9) n;`
        : ''
    }
    ${GAUGE}
    create domain api.depth as tools.gauge(6,2);
    create domain api.deep as api.depth;
    create table api.reading (id int primary key, exact tools.gauge(6,2), loose tools."gauge(1)", depth api.depth, deep api.deep);
    insert into api.reading select n, n::text::tools.gauge, n::text::tools."gauge(1)", n::text::api.depth, n::text::api.deep
      from generate_series(1, 9) n;
    create view api.readings as select * from api.reading;
    create function api.depths() returns table (id int, depth api.depth) language sql stable as
      'select id, depth from api.reading';
    ${
      has('vector')
        ? `create domain api.meaning as tools.vector(2);
      create table api.page (id int primary key, embedding tools.vector(2), loose tools.vector, meaning api.meaning,
        half tools.halfvec(2), sparse tools.sparsevec(2));
      insert into api.page select n, v, v::tools.vector, v::api.meaning, v::tools.halfvec, v::tools.sparsevec
        from generate_series(1, 3000) n cross join lateral (select ('[' || n || ',1]')::tools.vector(2) as v) as made;
      create index on api.page using hnsw (embedding tools.vector_l2_ops);`
        : ''
    }
    ${
      has('postgis')
        ? `create domain api.spot_4326 as tools.geometry(Point,4326);
      create table api.site (id int primary key, shape tools.geometry, place tools.geometry(Point,4326),
        flat tools.geometry(PointZ), place_domain api.spot_4326, globe tools.geography(Point,4326));
      insert into api.site select n, p, p, tools.st_force3d(tools.st_setsrid(p, 0)), p, p::tools.geography
        from generate_series(1, 500) n cross join lateral (
          select tools.st_setsrid(tools.st_makepoint(n % 50, n / 50), 4326) as p) as made;
      create index on api.site using gist (place);`
        : ''
    }
    analyze;
    grant select on all tables in schema api to ${harbor.anon}`);
const options = { 'db-plan-enabled': true, 'db-aggregates-enabled': true };
const server = await use(startLocalServer(harbor, options));
const plain = await use(startLocalServer(harbor, { extensions: 'none' }));
const other = await use(startLocalServer(harbor, { dialect: 'postgrest', extensions: 'score' }));

async function queryJson(sql: string): Promise<unknown> {
  const [[value]] = (await harbor.query(`select coalesce(json_agg(x), '[]') from (${sql}) x`)) as [[unknown]];
  return value;
}

describe('by text', () => {
  test('B56 the usual hybrid search is one request', async () => {
    const target = '/post?body=wfts.cats&score=body.wfts.cats&select=id,score&order=score.desc,id&limit=10';
    const expected = await queryJson(`
      select id, ts_rank_cd(to_tsvector(body), websearch_to_tsquery('cats')) score from api.post
      where to_tsvector(body) @@ websearch_to_tsquery('cats') order by score desc, id limit 10`);
    expect(await server.json(target)).toEqual(expected);
    expect(await other.json(target)).toEqual(expected);
  });

  test.each([
    ['body.fts.cats', `to_tsvector(body), to_tsquery('cats')`],
    ['body.plfts(english).cats and dogs', `to_tsvector('english', body), plainto_tsquery('english', 'cats and dogs')`],
    ['body.phfts.cats and', `to_tsvector(body), phraseto_tsquery('cats and')`],
    ['title.wfts(simple).post', `to_tsvector('simple', title), websearch_to_tsquery('simple', 'post')`],
    ['vector.wfts(english).cat', `vector, websearch_to_tsquery('english', 'cat')`],
    ['meta.wfts.cats', `to_tsvector(meta), websearch_to_tsquery('cats')`],
    ['meta->>note.wfts.cats', `to_tsvector(meta->>'note'), websearch_to_tsquery('cats')`],
  ])('B56 %s', async (score, sql) => {
    const rows = await server.json(`/post?select=id,score&order=score.desc,id&score=${encodeURIComponent(score)}`);
    expect(rows).toEqual(await queryJson(`select id, ts_rank_cd(${sql}) score from api.post order by score desc, id`));
  });

  test('B56 in filters, trees, casts, aliases and aggregates; not in *', async () => {
    const score = 'score=body.wfts.cats';
    const rank = `ts_rank_cd(to_tsvector(body), websearch_to_tsquery('cats'))`;
    const where = (sql: string) => queryJson(`select id from api.post where ${sql} order by id`);
    expect(await server.json(`/post?${score}&score=gt.0.25&select=id&order=id`)).toEqual(await where(`${rank} > 0.25`));
    expect(await server.json(`/post?${score}&or=(score.lt.0.1,id.eq.4)&select=id&order=id`)).toEqual(
      await where(`${rank} < 0.1 or id = 4`),
    );
    expect(await server.json(`/post?${score}&id=eq.4&select=a:score::text`)).toEqual([{ a: '0.4' }]);
    expect(await server.json(`/post?${score}&select=author_id,score.max()&order=author_id`)).toEqual(
      await queryJson(`select author_id, max(${rank}) from api.post group by 1 order by 1`),
    );
    expect(await server.json(`/author?score=name.wfts.mira&id=eq.1`)).toEqual([{ id: 1, name: 'Mira' }]);
    const counted = await server.get(`/post?${score}&score=gt.0.25&select=score`, {
      method: 'HEAD',
      headers: { Prefer: 'count=exact' },
    });
    const matching = (await where(`${rank} > 0.25`)) as unknown[];
    expect(counted.headers['content-range']).toBe(`0-${matching.length - 1}/${matching.length}`);
  });

  test('B56 in keyset pages', async () => {
    const seen: unknown[] = [];
    for (let query: string | undefined = '?score=body.wfts.cats&select=id&order=score.desc&limit=7'; query;) {
      const answer = await server.get(`/post${query}`, { headers: { Prefer: 'paging=cursor' } });
      expect(answer.status).toBe(200);
      seen.push(...(JSON.parse(answer.text) as unknown[]));
      query = /<([^>]*)>; rel="next"/u.exec(String(answer.headers['link']))?.[1];
    }
    const rank = `ts_rank_cd(to_tsvector(body), websearch_to_tsquery('cats'))`;
    expect(seen).toEqual(await queryJson(`select id from api.post order by ${rank} desc, id`));
  });
});

describe('by distance', () => {
  interface Node {
    readonly 'Node Type': string;
    readonly 'Order By'?: string;
    readonly Plans?: readonly Node[];
  }

  function nodesOf(node: Node): readonly Node[] {
    return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  }

  /** Whether an index returns the rows in the order of the distance. */
  async function usesIndex(target: string): Promise<boolean> {
    const headers = { Accept: 'application/vnd.svc.plan+json' };
    const answer = await server.get(target, { headers });
    const [{ Plan: root }] = JSON.parse(answer.text) as [{ readonly Plan: Node }];
    return nodesOf(root).some((node) => node['Node Type'].includes('Index') && node['Order By'] !== undefined);
  }

  test('B57 points, by an index', async () => {
    const target = `/spot?score=place.distance.(50.2,50.1)&select=id,score&order=score&limit=5`;
    expect(await server.json(target)).toEqual(
      await queryJson(`select id, place <-> '(50.2,50.1)' score from api.spot order by score limit 5`),
    );
    expect(await usesIndex(target)).toBe(true);
  });

  test.skipIf(!has('pg_trgm'))('B57 trigrams, by an index, from a schema outside the search path', async () => {
    const target = `/spot?score=label.trgm.label%2077&select=id,score&order=score&limit=5`;
    const rows = (await server.json(target)) as { score: number }[];
    const expected = (await queryJson(
      `select label operator(tools.<->) 'label 77' score from api.spot order by score limit 5`,
    )) as { score: number }[];
    expect(rows.map(({ score }) => score)).toEqual(expected.map(({ score }) => score));
    expect(await usesIndex(target)).toBe(true);
    expect((await server.get('/post?score=title.trgm.x&select=score')).status).toBe(200);
  });

  test.skipIf(!has('cube'))('B57 cubes', async () => {
    expect(await server.json('/box?score=corner.distance.(3,6)&order=score,id&select=id&limit=1')).toEqual([{ id: 3 }]);
  });

  test.each([
    ['/reading', 'exact', 'numeric(6,2)'],
    ['/reading', 'loose', 'numeric'],
    ['/reading', 'depth', 'a domain over numeric(6,2)'],
    ['/reading', 'deep', 'a domain over that'],
    ['/readings', 'exact', 'a column of a view'],
    ['/rpc/depths', 'depth', 'a column of a function'],
  ])('B57 %s by its column %s, as if it were %s', async (path, column) => {
    const rows = await server.json(`${path}?score=${column}.distance.3.5&select=id,score&order=score,id&limit=3`);
    expect(rows).toEqual([
      { id: 3, score: 0.5 },
      { id: 4, score: 0.5 },
      { id: 2, score: 1.5 },
    ]);
  });

  test.skipIf(!has('vector')).each([
    ['embedding', 'l2', '<->', '[3,2]'],
    ['embedding', 'cosine', '<=>', '[3,2]'],
    ['embedding', 'l1', '<+>', '[3,2]'],
    ['embedding', 'ip', '<#>', '[3,2]'],
    ['embedding', 'distance', '<->', '[3,2]'],
    ['loose', 'l2', '<->', '[3,2]'],
    ['meaning', 'l2', '<->', '[3,2]'],
    ['half', 'cosine', '<=>', '[3,2]'],
    ['sparse', 'l1', '<+>', '{1:3,2:2}/2'],
  ])(named('B57 vectors in %s by %s', 'vector'), async (column, measure, operator, value) => {
    const score = encodeURIComponent(`${column}.${measure}.${value}`);
    expect(await server.json(`/page?score=${score}&select=id,score&order=score,id&limit=9`)).toEqual(
      await queryJson(
        `select id, ${column} operator(tools.${operator}) '${value}' score from api.page order by score, id limit 9`,
      ),
    );
  });

  test.skipIf(!has('vector'))(named('B57 vectors, by an index, and of another length', 'vector'), async () => {
    expect(await usesIndex('/page?score=embedding.l2.[3,2]&select=id,score&order=score&limit=3')).toBe(true);
    const answer = await server.get('/page?score=embedding.l2.[3]&select=id,score');
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      400,
      { code: '22000', message: 'different vector dimensions 2 and 1' },
    ]);
  });

  test.skipIf(!has('postgis')).each([
    ['place', 'SRID=4326;POINT(7.2 3.1)'],
    ['place', 'SRID=4326;LINESTRING(0 0,7 3)'],
    ['shape', 'SRID=4326;POINT(7.2 3.1)'],
    ['flat', 'POINT Z (7 3 1)'],
    ['place_domain', 'SRID=4326;POINT(7.2 3.1)'],
    ['globe', 'POINT(7.2 3.1)'],
  ])(named('B57 shapes in %s from %s', 'postgis'), async (column, value) => {
    const score = encodeURIComponent(`${column}.distance.${value}`);
    expect(await server.json(`/site?score=${score}&select=id,score&order=score,id&limit=5`)).toEqual(
      await queryJson(
        `select id, ${column} operator(tools.<->) '${value}' score from api.site order by score, id limit 5`,
      ),
    );
  });

  test.skipIf(!has('postgis'))(named('B57 shapes, by an index, and in another projection', 'postgis'), async () => {
    const near = (value: string): string =>
      `/site?score=${encodeURIComponent(`place.distance.${value}`)}&select=id,score`;
    expect(await usesIndex(`${near('SRID=4326;POINT(7 3)')}&order=score&limit=3`)).toBe(true);
    const answer = await server.get(near('POINT(7 3)'));
    expect(JSON.parse(answer.text)).toMatchObject({ message: expect.stringContaining('mixed SRID') });
  });
});

describe('the value is read once, not for each row', () => {
  const PLAN = { headers: { Accept: 'application/vnd.svc.plan+json; options=verbose' } };
  const long = 'cats or counterrevolutionaries or '.repeat(7) + 'dogs or hippopotamuses';

  test.each([
    ['a score', '/post?score=body.wfts.cats&select=id,score'],
    ['a score with a language', '/post?score=body.fts(english).cats&select=id,score'],
    ['a filter by a score', '/post?score=vector.plfts.cats&score=gt.0.1&select=id'],
    ['a score of an embed', '/author?select=id,post(score)&post.score=body.wfts.cats'],
    ['a long search', `/post?body=wfts.${encodeURIComponent(long)}&select=id`],
    ['a long search in a tree', `/post?or=(body.wfts.${encodeURIComponent(long)},id.eq.1)&select=id`],
  ])('B56 %s', async (_, target) => {
    const { text } = await server.get(target, PLAN);
    const rows = JSON.stringify(JSON.parse(text), (_key, value: unknown) => (isInitPlan(value) ? 'once' : value));
    expect(text).toContain('tsquery');
    expect(rows).toContain('once');
    expect(rows).not.toContain('tsquery');
  });

  function isInitPlan(value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'Parent Relationship' in value
      ? value['Parent Relationship'] === 'InitPlan'
      : false;
  }

  test('B56 a long search finds the same rows', async () => {
    const search = encodeURIComponent(long);
    expect(
      await server.json(`/post?body=wfts.${search}&score=body.wfts.${search}&select=id,score&order=score,id`),
    ).toEqual(
      await queryJson(`
        select id, ts_rank_cd(to_tsvector(body), websearch_to_tsquery('${long}')) score from api.post
        where to_tsvector(body) @@ websearch_to_tsquery('${long}') order by score, id`),
    );
  });

  test('B22 B58 a score of 9,000 words is refused before PostgreSQL computes anything', async () => {
    const refusal = (details: string) => ({
      status: 400,
      body: { code: 'SVC129', message: 'The request exceeds a limit of this server', details, hint: null },
    });
    const refuse = async (query: string): Promise<unknown> => {
      const { status, text } = await server.get(`/post?${query}`);
      return { status, body: JSON.parse(text) as unknown };
    };
    const words = (count: number): string => `score=body.wfts.${'q+'.repeat(count - 1)}q`;
    expect((await server.get(`/post?${words(32)}&select=score`)).status).toBe(200);
    for (const count of [33, 9000])
      expect(await refuse(words(count))).toEqual(
        refusal('the search of a score has up to 32 words and punctuation marks'),
      );
    expect(await refuse(`body=match(any).{${'x,'.repeat(6999)}x}`)).toEqual(
      refusal('a query has up to 32 regular expressions; combine alternatives in one, as in a|b'),
    );
    expect(await refuse(`or=(${'body.fts.x,'.repeat(3000)}id.eq.1)`)).toEqual(
      refusal('a query has up to 100 full-text filters and uses of a score'),
    );
  });
});

describe('errors and embeds', () => {
  test.each([
    ['/post?score=body.l2.[1]', 'l2', 'body', "The extension 'vector' provides it for its types"],
    ['/post?score=size.cosine.[1]', 'cosine', 'size', "The extension 'vector' provides it for its types"],
    ['/post?score=size.trgm.x', 'trgm', 'size', "The extension 'pg_trgm' provides it for its types"],
    ['/post?score=size.wfts.x', 'wfts', 'size', null],
    ['/post?score=size.distance.1', 'distance', 'size', null],
    ['/post?score=body.distance.x', 'distance', 'body', null],
    ['/author?select=id,post(id)&post.score=size.wfts.x', 'wfts', 'size', null],
  ])('B58 %s is refused', async (target, measure, field, details) => {
    const answer = await server.get(target);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { code: 'SVC127', message: `The measure '${measure}' is not available for '${field}'`, details, hint: null },
    ]);
  });

  test.each([
    ['/result?score=id.distance.1', "'result' has a column named 'score'."],
    ['/post?score=body.wfts.a&score=body.wfts.b', "Each level can have one 'score'."],
  ])('B58 %s is refused', async (target, details) => {
    const answer = await server.get(target);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { code: 'SVC127', message: 'Feature not implemented', details, hint: null },
    ]);
  });

  test.each(['', 'x', 'body', 'body.best.x', 'body.l2(x).1', 'body.wfts(english.x', 'body.wfts'])(
    'B58 score=%s does not parse',
    async (value) => {
      const answer = await server.get(`/post?score=${value}`);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        expect.objectContaining({ code: 'SVC100', message: expect.stringContaining('failed to parse score') }),
      ]);
    },
  );

  test('B58 an invalid value is reported by PostgreSQL; a value is only ever a value', async () => {
    const answer = await server.get(
      `/spot?score=place.distance.${encodeURIComponent("x'; drop table api.spot; --")}&order=score`,
    );
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('22P02')]);
    expect((await server.get('/post?select=score')).text).toContain('42703');
    expect((await server.get('/post?score=nothing.wfts.x&select=score')).text).toContain('42703');
  });

  test('B58 a column named score remains one without the parameter, and filters on it remain filters', async () => {
    expect(await server.json('/result?score=eq.7&select=score&order=score')).toEqual([{ score: 7 }]);
  });

  test('B58 on embeds with their path', async () => {
    const rank = `ts_rank_cd(to_tsvector(body), websearch_to_tsquery('cats'))`;
    expect(
      await server.json(
        '/author?select=id,posts:post(id,score)&posts.score=body.wfts.cats&posts.order=score.desc,id&posts.limit=3&order=id',
      ),
    ).toEqual(
      await queryJson(`select id, (select json_agg(p) from (select id, ${rank} score from api.post
        where author_id = author.id order by score desc, id limit 3) p) posts from api.author order by id`),
    );
    expect(
      await server.json('/post?id=lte.2&select=id,author(score)&author.score=name.wfts.mira&order=author(score).desc'),
    ).toEqual([
      { id: 2, author: { score: 0.1 } },
      { id: 1, author: { score: 0 } },
    ]);
    expect((await server.get('/author?select=id&posts.score=body.wfts.cats')).text).toContain('SVC108');
  });

  test('B58 on functions that return rows, as on relations', async () => {
    const rank = `ts_rank_cd(to_tsvector(body), websearch_to_tsquery('cats'))`;
    const rows = await queryJson(
      `select id, ${rank} score from api.post where author_id = 1 and ${rank} > 0.1 order by score desc, id limit 5`,
    );
    const query = 'score=body.wfts.cats&score=gt.0.1&select=id,score&order=score.desc,id&limit=5';
    expect(await server.json(`/rpc/posts_of?author=1&${query}`)).toEqual(rows);
    expect(await other.json(`/rpc/posts_of?author=1&${query}`)).toEqual(rows);
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    expect(await server.json(`/rpc/posts_of?${query}`, { ...post, body: '{"author": 1}' })).toEqual(rows);
    expect(await server.json(`/rpc/slow_posts?author_id=eq.1&${query}`, post)).toEqual(rows);
    expect(
      await server.json('/rpc/posts_of?author=1&score=place.distance.(0,0)&select=id&order=score&limit=1'),
    ).toEqual(await queryJson(`select id from api.post where author_id = 1 order by place <-> '(0,0)' limit 1`));
    expect(await server.json('/rpc/words?score=place.distance.(0,1)&select=word,score&order=score')).toEqual([
      { word: 'cats', score: 1 },
      { word: 'dogs', score: Math.hypot(3, 3) },
    ]);
    expect(
      await server.json('/rpc/posts_of?author=1&id=eq.2&select=id,author(score)&author.score=name.wfts.jonas'),
    ).toEqual([{ id: 2, author: { score: 0 } }]);
  });

  test('B58 a parameter of the function called score wins', async () => {
    expect(await server.json('/rpc/scored?score=cats%20and%20dogs&select=id&limit=1')).toEqual([{ id: 1 }]);
    expect(await server.json('/rpc/scored?score=body.wfts.cats&select=id')).toEqual([]);
    const body = JSON.stringify({ score: 'cats and dogs' });
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    expect(await server.json('/rpc/scored?score=body.wfts.cats&select=id,score&limit=1', post)).toEqual([
      expect.objectContaining({ score: expect.any(Number) }),
    ]);
  });

  test.each([
    ['/rpc/posts_of?author=1&score=size.wfts.x', 'SVC127'],
    ['/rpc/posts_of?author=1&score=body.best.x', 'SVC100'],
    ['/rpc/posts_of?author=1&score=x', 'SVC100'],
    ['/rpc/posts_of?author=1&score=body.wfts.a&score=body.wfts.b', 'SVC127'],
    ['/rpc/posts_of?author=1&author.score=name.wfts.a', 'SVC108'],
  ])('B58 %s is refused', async (target, code) => {
    const answer = await server.get(target);
    expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([400, code]);
  });

  test('B54 without the extension, it is an argument of the function', async () => {
    const answer = await plain.get('/rpc/posts_of?author=1&score=body.wfts.cats');
    expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([404, 'SVC202']);
  });

  test('B54 without the extension, it is a filter that does not parse', async () => {
    const answer = await plain.get('/post?score=body.wfts.cats');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      expect.objectContaining({
        code: 'SVC100',
        message: '"failed to parse filter (body.wfts.cats)" (line 1, column 1)',
      }),
    ]);
  });
});

// Compares the answers of `docs/questions.md` with SQL. The page itself is run by `docs.db.test.ts`.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { CHINOOK_FILE, readChinook } from './chinook.ts';
import { readPage } from './read-page.ts';
import { readMarkdown } from './read-pages.ts';

const BLOCKS = readPage(readMarkdown('docs/questions.md'));

/** The path of each request on the page, without a method or an `Accept` of its own. */
const PATHS = BLOCKS.filter(({ language, text }) => language === 'sh' && !text.includes('Accept:')).flatMap(
  ({ text }) => /http:\/\/localhost:3000(\S+)'/u.exec(text)?.slice(1) ?? [],
);

/** Each request is found by what only its path contains. */
const ANSWERS: readonly (readonly [name: string, inPath: string, sql: string])[] = [
  [
    'B1 B12 genres with more than 100 tracks, by revenue',
    'unit_price.sum',
    `select sum(l.unit_price)::float8 as revenue, g.name as genre, n.tracks::int
     from genre g
     join (select genre_id, count(*) as tracks from track group by genre_id having count(*) > 100) n using (genre_id)
     join track t using (genre_id) join invoice_line l using (track_id)
     group by g.genre_id, n.tracks order by 1 desc`,
  ],
  [
    'B2 customers who bought the same song twice',
    'count()=gt.1',
    `select count(*)::int as times, c.email as customer, t.name as song, a.name as artist
     from invoice_line l join invoice using (invoice_id) join customer c using (customer_id)
     join track t using (track_id) join album using (album_id) join artist a using (artist_id)
     group by 2, 3, 4 having count(*) > 1`,
  ],
  [
    'B12 B14 tracks with 100% in their name or the name of their artist',
    'ihas',
    String.raw`select t.name, json_build_object('artist', json_build_object('name', a.name)) as album
     from track t join album using (album_id) join artist a using (artist_id)
     where t.name ilike '%100\%%' or a.name ilike '%100\%%'`,
  ],
  [
    'B11 invoices above the average of their customer',
    'gt(parent)',
    `select c.last_name, round(v.average, 2)::float8 as average_invoice, v.above as invoice
     from customer c, lateral (select avg(total) as average from invoice i where i.customer_id = c.customer_id) a,
     lateral (select a.average, json_agg(i) as above from (
       select invoice_id, total from invoice i where i.customer_id = c.customer_id and i.total > round(a.average, 2)
       order by total desc limit 2) i) v
     where v.above is not null order by c.last_name limit 2`,
  ],
  [
    'B16 the first page of the tracks by length',
    'limit=7',
    'select name, milliseconds from track order by milliseconds desc, track_id desc limit 7',
  ],
  [
    'B17 page 500 of the tracks by length',
    'after=',
    'select name, milliseconds from track order by milliseconds desc, track_id desc limit 7 offset 7 * 499',
  ],
  [
    'B56 the ten best matches of a search',
    'score=',
    `select name, ts_rank_cd(to_tsvector(name), q)::float4 as score from track, websearch_to_tsquery('love') q
     where to_tsvector(name) @@ q order by 2 desc, track_id limit 10`,
  ],
  [
    'B59 an employee with all reports below',
    '{4}',
    `select e.first_name, e.title, (select json_agg(json_build_object(
         'first_name', m.first_name, 'title', m.title,
         'reports', (select json_agg(json_build_object('first_name', r.first_name, 'title', r.title, 'reports', '[]'::json)
           order by r.employee_id) from employee r where r.reports_to = m.employee_id)) order by m.employee_id)
       from employee m where m.reports_to = e.employee_id) as reports
     from employee e where e.employee_id = 1`,
  ],
];

describe.skipIf(!existsSync(CHINOOK_FILE))(
  'the questions to Chinook, if its file exists next to the repository',
  () => {
    let database: TestDatabase;
    let server: ServerProcess;

    beforeAll(async () => {
      database = await createDatabase();
      const { sql, options } = readChinook();
      const functions = BLOCKS.filter(({ language }) => language === 'sql').map(({ text }) => text);
      await withConnection(database.uri, (client) => client.query([sql, ...functions].join('\n')));
      server = await startServerProcess({ 'db-uri': database.uri, ...options });
    });

    afterAll(async () => {
      await server?.stop();
      await database?.drop();
    });

    test('B21 of two people who rename a playlist with the tag that both have read, one gets 412', async () => {
      const path = PATHS.findLast((text) => text.includes('/playlist?')) ?? '';
      const url = `http://127.0.0.1:${server.port}${path}`;
      const match = (await fetch(url)).headers.get('etag') ?? '';
      const headers = { 'Content-Type': 'application/json', 'If-Match': match };
      const rename = (name: string): Promise<Response> =>
        fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ name }) });
      const names = ['Seattle', 'Grunge and more'];
      const statuses = (await Promise.all(names.map(rename))).map(({ status }) => status);
      expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 412]);
      const { rows } = await withConnection(database.uri, (client) =>
        client.query<object>('select name from playlist where playlist_id = 16'),
      );
      expect(rows).toEqual([{ name: names[statuses.indexOf(204)] }]);
    });

    test.each(ANSWERS)('%s', async (_, inPath, sql) => {
      const path = PATHS.findLast(
        (text) => text.includes(inPath) && (inPath !== 'limit=7' || !text.includes('after=')),
      );
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
      expect(response.status).toBe(200);
      const { rows } = await withConnection(database.uri, (client) => client.query<object>(sql));
      const got = (await response.json()) as readonly object[];
      const sort = path?.includes('order=count()') ? inAnyOrder : (all: readonly object[]) => all;
      expect(sort(got)).toEqual(sort(rows));
    });
  },
);

/** For rows with equal places in the order. */
function inAnyOrder(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

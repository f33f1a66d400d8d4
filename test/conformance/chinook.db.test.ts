// Queries a real database through the server and compares the results with SQL. Skipped unless the file of the database
// exists next to the repository.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSqlFile } from '../../tools/embedded/script/load-sql.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const FILE = fileURLToPath(new URL('../../../shared/data/chinook.sql', import.meta.url));

let database: TestDatabase;
let server: ServerProcess;
/** The file creates a database with its own name and connects to it. */
let uri: string;

describe.skipIf(!existsSync(FILE))('chinook, if its file exists next to the repository', () => {
  beforeAll(async () => {
    database = await createDatabase();
    const loaded = await loadSqlFile(database.uri, FILE);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    uri = Object.assign(new URL(database.uri), { pathname: '/chinook' }).href;
    server = await startServerProcess({ 'db-uri': uri, 'db-schemas': 'public', 'db-anon-role': 'postgres' });
  });
  afterAll(async () => {
    await server?.stop();
    await runSql(database.uri, 'drop database if exists chinook with (force)');
    await database?.drop();
  });

  test('artists with albums with tracks with genre', async () => {
    const got = await get(
      '/artist?select=name,album(title,track(name,genre(name)))&order=artist_id&limit=20' +
        '&album.order=album_id&album.track.order=track_id',
    );
    expect(got).toEqual(
      await sql(`
      select r.name, coalesce((select json_agg(json_build_object('title', a.title, 'track',
          coalesce((select json_agg(json_build_object('name', t.name, 'genre',
              (select json_build_object('name', g.name) from genre g where g.genre_id = t.genre_id)) order by t.track_id)
            from track t where t.album_id = a.album_id), '[]')) order by a.album_id)
          from album a where a.artist_id = r.artist_id), '[]') as album
      from artist r order by r.artist_id limit 20`),
    );
  });

  test('the five longest tracks over five minutes, with the total', async () => {
    const response = await fetch(
      `${base()}/track?select=name,milliseconds&milliseconds=gt.300000&order=milliseconds.desc&limit=5`,
      { headers: { Prefer: 'count=exact' } },
    );
    const [total] = await sql('select count(*)::int as n from track where milliseconds > 300000');
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`0-4/${String(total?.['n'])}`);
    expect(await response.json()).toEqual(
      await sql('select name, milliseconds from track where milliseconds > 300000 order by milliseconds desc limit 5'),
    );
  });

  test('employees with their manager and their reports', async () => {
    const got = await get(
      '/employee?select=last_name,manager:reports_to(last_name),' +
        'reports:employee!reports_to(last_name)&order=employee_id&reports.order=employee_id',
    );
    expect(got).toEqual(
      await sql(`
      select e.last_name, (select json_build_object('last_name', m.last_name) from employee m
          where m.employee_id = e.reports_to) as manager,
        coalesce((select json_agg(json_build_object('last_name', r.last_name) order by r.employee_id) from employee r
          where r.reports_to = e.employee_id), '[]') as reports
      from employee e order by e.employee_id`),
    );
  });

  test('playlists of a track', async () => {
    const got = await get(
      '/track?select=name,playlist(playlist_id,name)&track_id=in.(1,3402)&order=track_id' +
        '&playlist.order=playlist_id',
    );
    expect(got).toEqual(
      await sql(`
      select t.name, (select json_agg(json_build_object('playlist_id', p.playlist_id, 'name', p.name)
          order by p.playlist_id) from playlist p join playlist_track pt using (playlist_id)
          where pt.track_id = t.track_id) as playlist
      from track t where t.track_id in (1, 3402) order by t.track_id`),
    );
  });

  test('invoices of a country by nested conditions', async () => {
    const got = await get(
      '/invoice?select=invoice_id,total&billing_country=eq.Germany&order=invoice_id' +
        '&or=(total.gt.10,and(total.lt.1,invoice_date.gte.2013-01-01))',
    );
    expect(got).toEqual(
      await sql(`
      select invoice_id, total::float8 from invoice where billing_country = 'Germany'
        and (total > 10 or (total < 1 and invoice_date >= '2013-01-01')) order by invoice_id`),
    );
  });

  test('insert, patch and delete return the rows', async () => {
    const headers = { Prefer: 'return=representation', 'Content-Type': 'application/json' };
    const send = (method: string, path: string, body?: unknown) =>
      fetch(base() + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const inserted = await send('POST', '/genre', { genre_id: 900, name: 'Sea shanty' });
    expect([inserted.status, await inserted.json()]).toEqual([201, [{ genre_id: 900, name: 'Sea shanty' }]]);
    const patched = await send('PATCH', '/genre?genre_id=eq.900', { name: 'Shanty' });
    expect([patched.status, await patched.json()]).toEqual([200, [{ genre_id: 900, name: 'Shanty' }]]);
    const deleted = await send('DELETE', '/genre?genre_id=eq.900');
    expect([deleted.status, await deleted.json()]).toEqual([200, [{ genre_id: 900, name: 'Shanty' }]]);
    expect(await sql('select count(*)::int as n from genre where genre_id = 900')).toEqual([{ n: 0 }]);
  });

  test('errors name their cause', async () => {
    const column = await fetch(`${base()}/track?select=nme`);
    expect([column.status, await column.json()]).toEqual([
      400,
      {
        code: '42703',
        details: null,
        hint: 'Perhaps you meant to reference the column "track.name".',
        message: 'column track.nme does not exist',
      },
    ]);
    const table = await fetch(`${base()}/trac`);
    expect([table.status, await table.json()]).toEqual([
      404,
      {
        code: 'SVC205',
        details: null,
        hint: "Perhaps you meant the table 'public.track'",
        message: "Could not find the table 'public.trac' in the schema cache",
      },
    ]);
    const operator = await fetch(`${base()}/track?name=is_like.x`);
    expect([operator.status, await operator.json()]).toEqual([
      400,
      {
        code: 'SVC100',
        details: 'unexpected "_" expecting operator (eq, gt, ...)',
        hint: 'is_like is not an operator. To compare with the whole text, write name=eq.is_like.x',
        message: '"failed to parse filter (is_like.x)" (line 1, column 3)',
      },
    ]);
    const json = await fetch(`${base()}/track`, { method: 'POST', body: '{"name":' });
    expect([json.status, await json.json()]).toEqual([415, expect.objectContaining({ code: 'SVC107' })]);
    const headers = { 'Content-Type': 'application/json' };
    const malformed = await fetch(`${base()}/track`, { method: 'POST', headers, body: '{"name":' });
    expect([malformed.status, await malformed.json()]).toEqual([
      400,
      {
        code: 'SVC102',
        details: null,
        hint: 'The JSON goes wrong at line 1, column 9',
        message: 'Empty or invalid json',
      },
    ]);
  });
});

function base(): string {
  return `http://127.0.0.1:${server.port}`;
}

async function get(path: string): Promise<unknown> {
  const response = await fetch(base() + path);
  expect(response.status).toBe(200);
  return response.json();
}

function sql(text: string): Promise<readonly Record<string, unknown>[]> {
  return withConnection(uri, async (client) => (await client.query(text)).rows as Record<string, unknown>[]);
}

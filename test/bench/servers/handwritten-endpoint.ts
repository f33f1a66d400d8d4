// A separate process with a hand-written implementation of two cases, using Fastify and `pg` with prepared statements
// and a pool of ten. With `transaction` as its second argument it sets role and claims, which an API with row-level
// security requires. Sends its port to the parent process.
import { fastify } from 'fastify';
import { Pool } from 'pg';

const [databaseUri, mode] = process.argv.slice(2);
const CLAIMS = JSON.stringify({ role: 'bench_anon' });
const STATEMENTS = {
  track: 'select * from track where track_id = $1',
  album: `select a.title, json_build_object('name', r.name) as artist,
    (select coalesce(json_agg(json_build_object('track_id', t.track_id, 'name', t.name)), '[]')
      from track t where t.album_id = a.album_id) as track
    from album a join artist r using (artist_id) where a.album_id = $1`,
};

const pool = new Pool({ connectionString: databaseUri, max: 10 });
const readRows = mode === 'transaction' ? readInTransaction : read;
const app = fastify();
for (const name of ['track', 'album'] as const) {
  app.get<{ Params: { key: string } }>(`/${name}/:key`, ({ params }) => readRows(name, params.key));
}
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));

async function read(name: keyof typeof STATEMENTS, key: string): Promise<readonly unknown[]> {
  return (await pool.query({ name, text: STATEMENTS[name], values: [key] })).rows;
}

async function readInTransaction(name: keyof typeof STATEMENTS, key: string): Promise<readonly unknown[]> {
  const client = await pool.connect();
  try {
    await client.query('begin read only');
    const text = `select set_config('role', 'bench_anon', true), set_config('request.jwt.claims', $1, true)`;
    await client.query({ name: 'settings', text, values: [CLAIMS] });
    const { rows } = await client.query<object>({ name, text: STATEMENTS[name], values: [key] });
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

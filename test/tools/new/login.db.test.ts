// The file of docs/login.md in the projects that `rowhouse new` writes: people sign up and do what the policies allow them.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startService } from '../../../src/index.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { readPage } from '../../docs/read-page.ts';
import { readMarkdown } from '../../docs/read-pages.ts';
import { listen } from '../../support/listen.ts';
import { createFromTemplate } from '../../support/template-database.ts';
import { useFolders } from '../project/folder.ts';
import { use, whenOver } from '../../support/use.ts';

const createFolder = useFolders();
const BLOCKS = readPage(readMarkdown('docs/login.md'));
/** Hashes as the page does, but in less time. */
const FILE = (BLOCKS.find(({ note }) => note?.text === 'login.sql')?.text ?? '').replaceAll(
  "gen_salt('bf', 12)",
  "gen_salt('bf', 4)",
);
const SEED = BLOCKS.find(({ note }) => note?.text === 'a test of the templates runs it')?.text ?? '';
const [, KEY = ''] = /values \('(.*)'\)/u.exec(SEED) ?? [];
const PASSWORD = 'rye bread and plums';

const database = await use(
  createFromTemplate('shop', createFolder({}), { 'schema/login.sql': FILE, 'seed/login.sql': SEED }),
);
const options = { dbUri: database.uri, dbSchemas: ['api'], dbAnonRole: 'web_anon', jwtSecret: KEY };
const service = await use(
  startService({ options, environment: {}, output: { writeOut: () => {}, writeError: () => {} } }),
);
const host = createServer(service.createNodeHandler());
const port = await listen(host);
whenOver(() => {
  host.closeAllConnections();
  host.close();
});

async function send(path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const init = { headers: { ...headers, 'Content-Type': 'application/json' } };
  const url = `http://127.0.0.1:${port}${path}`;
  return await fetch(url, body === undefined ? init : { ...init, method: 'POST', body: JSON.stringify(body) });
}

async function readMail(): Promise<string> {
  const sql = 'select code from private.mails order by id desc limit 1';
  const { rows } = await withConnection(database.uri, (client) => client.query<{ readonly code: string }>(sql));
  return rows[0]?.code ?? '';
}

/** Returns the token of a response, and the cookie. */
async function readSession(response: Response): Promise<{ readonly token: string; readonly cookie: string }> {
  const { token } = (await response.json()) as { readonly token: string };
  return { token, cookie: response.headers.get('Set-Cookie')?.split(';')[0] ?? '' };
}

test('a person signs up, orders, logs in again, and sees that order and no other', async () => {
  expect((await send('/rpc/sign_up', { email: 'Ann@example.org', password: PASSWORD })).status).toBe(200);
  const confirmed = await send('/rpc/confirm', { code: await readMail(), password: PASSWORD });
  const { token } = await readSession(confirmed);
  const order = { items: [{ product: 1, quantity: 1 }] };
  expect((await send('/rpc/place_order', order)).status).toBe(401);
  expect((await send('/rpc/place_order', order, { Authorization: `Bearer ${token}` })).status).toBe(200);

  const again = await readSession(await send('/rpc/log_in', { email: 'ann@example.org', password: PASSWORD }));
  const orders = await send('/orders?select=id', undefined, { Authorization: `Bearer ${again.token}` });
  expect(await orders.json()).toEqual([{ id: 3 }]);

  const refreshed = await send('/rpc/refresh', {}, { Cookie: again.cookie });
  expect(refreshed.status).toBe(200);
  expect((await send('/rpc/log_out', {}, { Cookie: again.cookie })).status).toBe(204);
  expect((await send('/rpc/refresh', {}, { Cookie: again.cookie })).status).toBe(401);
});

test('roles of requests reach neither the accounts nor the functions behind the login', async () => {
  const sql = `
    select p.oid::regprocedure::text as name
    from pg_proc p, unnest(array['web_anon', 'web_user']) role
    where p.pronamespace = 'private'::regnamespace and has_function_privilege(role, p.oid, 'execute')
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
    union
    select c.oid::regclass::text
    from pg_class c, unnest(array['web_anon', 'web_user']) role
    where c.relnamespace = 'private'::regnamespace and c.relkind = 'r' and has_table_privilege(role, c.oid, 'select')`;
  const { rows } = await withConnection(database.uri, (client) => client.query<{ readonly name: string }>(sql));
  expect(rows.map(({ name }) => name)).toEqual(['private.me()']);
});

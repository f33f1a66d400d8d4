// Runs the example requests of the banner, exactly as printed, against a server of the demo.
import { expect, test } from 'vitest';
import { renderBanner } from '../../../tools/demo/banner.ts';
import { createDatabase, loadFixture } from '../../support/database.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { signToken } from '../../../tools/token/issue-token.ts';
import { use } from '../../support/use.ts';

const SECRET = 'a secret of the tests, longer than 32 bytes';

const database = await use(createDatabase());
await loadFixture(database.uri, new URL('../../../tools/demo/demo.sql', import.meta.url).pathname);
const uri = new URL(database.uri);
uri.username = 'authenticator';
const server = await use(
  startServerProcess({
    'db-uri': uri.href,
    'db-schemas': 'api',
    'db-anon-role': 'demo_anon',
    'jwt-secret': SECRET,
  }),
);
const banner = renderBanner({
  apiUrl: `http://127.0.0.1:${server.port}`,
  adminUrl: undefined,
  hasExplorer: true,
  userToken: signToken({ role: 'demo_user', resident_id: 1 }, SECRET),
  adminUri: database.uri,
  database: 'demo',
  dataFolder: '/some/where',
  isNew: true,
  command: 'npx rowhouse',
});
const commands: readonly string[] = banner.split('\n').filter((line) => line.startsWith('  curl '));

/** Parses and runs a `curl` command with quoted words, `-H` and `-d`. */
async function run(command: string | undefined): Promise<Response> {
  const words = [...(command ?? '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const valuesOf = (flag: string): readonly string[] => words.filter((_, index) => words[index - 1] === flag);
  const headers = valuesOf('-H').map((line): [string, string] => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const [body] = valuesOf('-d');
  const url = words.find((word) => word.startsWith('http://')) ?? '';
  return await fetch(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
}

test('the first example returns the oldest houses with street and residents', async () => {
  const response = await run(commands[0]);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject([
    { number: 1, streets: { name: 'Lantern Row' }, residents: [{ name: 'Mira Okonkwo' }, { name: 'Jonas Okonkwo' }] },
    { number: 2, residents: [{ name: 'Ottilie Brandt' }] },
    { number: 3, built: 1873 },
  ]);
});

test('the second example calls a function that returns tools with their owners', async () => {
  const response = await run(commands[1]);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(
    expect.arrayContaining([{ name: 'Jigsaw', condition: 'good', residents: { name: 'Wanda Kowalczyk' } }]),
  );
});

test('the third example inserts a note as the resident of the token', async () => {
  const response = await run(commands[2]);
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject([{ author_id: 1, topic: 'wanted', title: 'Four strong neighbours' }]);
});

test('the fourth example returns CSV with a count', async () => {
  const response = await run(commands[3]);
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe('0-4/32');
  expect(await response.text()).toMatch(/^name,value,condition\n"Cargo bicycle",3200\.00,good\n/);
});

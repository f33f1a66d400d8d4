// `response.explain()` with odd names, many policies, many rows, and without a connection.
import { expect, test } from 'vitest';
import { openProject } from '../../../tools/testing/index.ts';
import { useFolders } from '../project/folder.ts';
import { HOSTILE } from './hostile-project.ts';

const project = await openProject(useFolders()(HOSTILE));
const ODD = `/${encodeURIComponent(`it's "odd" \\ $1`)}`;
const USER = { role: 'web_user' };

test('P40 names and values may contain quotes', async () => {
  await project.test(async (as) => {
    const client = as({ role: `o'role "x"`, sub: `'"\\$$` });
    const read = await client.get(ODD);
    expect(await read.explain()).toBe(
      `USING of policy p'1 "q" $$ on it's "odd" \\ $1 hid 1 row (the "key"=2): "o'er" = 'it''s \\ $$ $1'::text
  the "key"=2: o'er is "bob"`,
    );
    const added = await client.post(ODD, { 'the "key"': 5, "o'er": 'no' });
    expect(await added.explain()).toBe(
      `WITH CHECK of policy p'1 "q" $$ on it's "odd" \\ $1 refused 1 new row (the "key"=5): "o'er" <> 'no'::text
  the "key"=5: o'er is "no"`,
    );
    const changed = await client.patch(ODD, { "o'er": `it's \\ $$ $1` });
    expect(await changed.explain()).toBe(
      `PostgreSQL reported P0001: it's "it's \\ $$ $1". That is no refusal by a privilege or a policy.
  in PL/pgSQL function "tri'g ""g"" $$"() line 1 at RAISE
api."tri'g ""g"" $$"() runs as the trigger t'1 "x" on it's "odd" \\ $1 (BEFORE UPDATE).`,
    );
  })();
});

test('P40 many policies are taken together', async () => {
  await project.test(async (as) => {
    const read = await as(USER).get('/watched');
    const text = await read.explain();
    expect(text.length).toBeLessThan(5000);
    expect(text.match(/^USING of policy p\d+ on watched hid 1 row/gmu)).toHaveLength(20);
    expect(text).toMatch(/^USING of policy 980 others on watched hid 1 row \(id=1\): \(+owner = .{980,1000}…$/mu);
    expect(text).toMatch(/^One of these would have to allow a row: (?:p\d+, ){20}980 others\.$/mu);
    // One of the others allows it.
    const added = await as(USER).post('/watched', { id: 1000, owner: 'user999' });
    expect([added.status, await added.explain()]).toEqual([201, 'No policy or privilege refused a row.']);
  })();
});

test('P40 of many rows, the first hundred are looked at', async () => {
  await project.test(async (as) => {
    const read = await as(USER).get('/large?select=id&limit=1');
    const lines = (await read.explain()).split('\n');
    expect(lines[0]).toMatch(
      /^No policy or privilege hid or refused a row: the request concerns at least 100 rows \(id=1, /u,
    );
    expect(lines.slice(1)).toEqual(['Only 100 of the matching rows were looked at.']);
    const changed = await as(USER).patch('/large', { owner: 'x' });
    expect(await changed.explain()).toMatch(/^USING of policy own on large refused 100 new rows \(id=/u);
  })();
});

test('P40 without a connection, an explanation fails', async () => {
  const session = await project.begin();
  const response = await session.as(USER).get('/watched');
  await expect(session.as.owner`select pg_terminate_backend(pg_backend_pid())`).rejects.toThrow(
    'terminating connection',
  );
  await expect(response.explain()).rejects.toThrow('terminating connection');
  await session.end();
});

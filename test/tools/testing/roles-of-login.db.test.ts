// What differs between a test and production: the login role may not assume every role. And values of `as.owner`.
import { expect, test } from 'vitest';
import { openProject } from '../../../tools/testing/index.ts';
import { useFolders } from '../project/folder.ts';

const root = useFolders()({
  'rowhouse.conf': 'db-anon-role = "web_anon"\n',
  'roles.sql': `create role web_anon nologin; create role web_user nologin;
    create role authenticator login noinherit; grant web_anon to authenticator;`,
  'schema/things.sql': `create table things (id int primary key, at timestamptz, tags text[]);
    grant select on things to web_anon, web_user;`,
});

test('P36b a role that the login role may not assume is found, with what to write', async () => {
  const project = await openProject(root);
  await project.test(async (as) => {
    expect((await as.nobody.get('/things')).status).toBe(200);
    await expect(as({ role: 'web_user' }).get('/things')).rejects.toThrow(
      'No login role of roles.sql may assume the role web_user, so every request with it fails in production. Add to roles.sql: grant "web_user" to "authenticator";',
    );
  })();
});

test('P36c as.owner returns what the JSON of the API contains', async () => {
  const project = await openProject(root);
  await project.test(async (as) => {
    const [row] = await as.owner`insert into things values (${1}, ${'2030-01-02T03:04:05Z'}, ${['a', 'b,c']})
      returning *, null::int[] as nothing, row(1, 'x')::text as text, '[1,5)'::int4range as range, '1 day'::interval as span`;
    const { rows } = await as.nobody.get('/things');
    expect(rows).toEqual([{ id: 1, at: row?.['at'], tags: ['a', 'b,c'] }]);
    expect(row).toMatchObject({ nothing: null, text: '(1,x)', range: '[1,5)', span: '1 day' });
  })();
});

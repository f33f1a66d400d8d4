// Casts that would reveal names of tables, functions and roles that are not served (`reading.md` §7.3).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type LocalServer, post, startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;

await harbor.sql(`
    create domain api.secret_name as regclass;
    create domain api.secret_names as api.secret_name[];
    create domain api.of_secret as api.secret_names;
    create table api.own (id int primary key, kept regclass, at regnamespace);
    insert into api.own values (1, 'archive.old_visit', 'archive');
    grant select, insert on api.own to ${harbor.anon}`);

const OWN = 'regclass,regcollation,regconfig,regdictionary,regnamespace,regoper,regoperator,regproc,regprocedure';
const SPELLINGS = 'REGCLASS,RegRole, regclass ,regclass array,regclass  ARRAY,setof regclass';
const DERIVED =
  '_regclass,_regproc,secret_name,_secret_name,secret_names,of_secret,Secret_Name,pg_operator,_pg_operator';
const CASTS = [OWN, 'regrole,regtype', SPELLINGS, DERIVED].flatMap((list) => list.split(','));

describe('in the svc dialect', () => {
  test.each(CASTS)('a cast to "%s" is rejected', async (cast) => {
    server = await use(startLocalServer(harbor));
    const answer = await server.get(`/berth?select=n:id::${encodeURIComponent(cast)}`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      {
        code: 'SVC127',
        message: 'Feature not implemented',
        details: `The cast ::${cast.trim()} is not available.`,
        hint: expect.stringContaining('Select the value without the cast.'),
      },
    ]);
  });

  test.each([
    '/berth?select=id.max()::regclass',
    '/berth?select=id::regclass.max()',
    '/berth?select=count()::regclass',
    '/berth?select=id,visit(id::regclass)',
    '/berth?select=id,...visit(id::regclass)',
    '/visit?select=id,berth(name,visit(id::regrole))',
    '/rpc/who?select=who::regrole',
  ])('%s is rejected as well', async (target) => {
    server = await use(startLocalServer(harbor, { 'db-aggregates-enabled': true }));
    const answer = await server.get(target);
    expect([target, answer.status, answer.text]).toEqual([target, 400, expect.stringMatching(/SVC1(27|00)/u)]);
    expect(answer.text).not.toContain('old_visit');
  });

  test('a cast in the representation of a write is rejected before the write', async () => {
    server = await use(startLocalServer(harbor));
    const parts = post({ id: 2 });
    const headers = { ...parts.headers, Prefer: 'return=representation' };
    expect((await server.get('/own?select=id::regclass', { ...parts, headers })).status).toBe(400);
    expect(await harbor.query('select count(*)::int from api.own')).toEqual([[1]]);
  });

  test('columns of these types, and other casts, are returned', async () => {
    server = await use(startLocalServer(harbor));
    expect(await server.json('/own?select=id,kept,at::text,n:id::oid,second:id::oid::regrole')).toEqual([
      { id: 1, kept: 'archive.old_visit', at: 'archive', n: '1', second: '1' },
    ]);
  });
});

test('in the postgrest dialect casts reveal the names', async () => {
  server = await use(startLocalServer(harbor, { dialect: 'postgrest' }));
  const [[oid]] = (await harbor.query(`select 'archive.old_visit'::regclass::oid::int`)) as [[number]];
  await harbor.sql(`insert into api.own values (${oid})`);
  expect(await server.json(`/own?select=n:id::regclass&id=eq.${oid}`)).toEqual([{ n: 'archive.old_visit' }]);
  await harbor.sql(`delete from api.own where id = ${oid}`);
});

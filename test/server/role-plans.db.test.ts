// Privileges that PostgreSQL checks at plan time, on one connection that serves several roles in turn.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useRoles } from '../support/database.ts';
import { use } from '../support/use.ts';
import { useHarbor } from '../support/harbor.ts';
import {
  bearer,
  post,
  startLocalServer,
  type Answer,
  type LocalServer,
  type Options,
  type RequestParts,
} from '../support/local-server.ts';

/** More executions than PostgreSQL needs to switch to a generic plan. */
const MANY = 8;

const [guest] = await useRoles('guest');
const harbor = await useHarbor();
await harbor.sql(`
    grant ${guest} to ${harbor.login};
    grant usage on schema api to ${guest};
    grant select on api.berth to ${guest};

    create function api.total() returns int language sql stable as 'select 42';
    create function api.folded() returns int language plpgsql immutable as $$ begin return 42; end $$;
    create function api.bonus(api.berth) returns int language sql stable as 'select $1.id + 7';
    create view api.priced as select id, api.total() as price from api.berth;
    create table api.parcel (id int primary key, weight int default api.total(), twice int generated always as (id * 2) stored);
    revoke execute on function api.total(), api.folded(), api.bonus(api.berth) from public;
    grant execute on function api.total(), api.folded(), api.bonus(api.berth) to ${harbor.user};
    grant select on api.priced to ${harbor.anon}, ${harbor.user}, ${guest};
    grant select, insert, delete on api.parcel to ${harbor.anon}, ${harbor.user}, ${guest};

    create schema hidden;
    grant usage on schema hidden to ${harbor.user};
    create function hidden.answer() returns int language plpgsql volatile as $$ begin return 42; end $$;
    create function api.ask_total() returns int language plpgsql stable as $$ begin return api.total(); end $$;
    create function api.ask_hidden() returns int language plpgsql stable as $$ begin return hidden.answer(); end $$;
    create function api.ask_query() returns int language sql stable set work_mem = '4MB' as 'select api.total()';

    create function api.switch_role() returns void language plpgsql as $$
    declare
      requested text := current_setting('request.headers')::json ->> 'x-role';
    begin
      if requested is not null then perform set_config('role', requested, true); end if;
    end $$;
  `);
const server = await use(startLocalServer(harbor, { 'db-pool': 1 }));

function ask(role: string | undefined, target: string, { headers, ...parts }: RequestParts = {}): Promise<Answer> {
  return server.get(target, { ...parts, headers: { ...headers, ...(role === undefined ? {} : bearer({ role })) } });
}

const EXPECTED: readonly (readonly [
  what: string,
  target: string,
  body: string,
  missing: string,
  parts: RequestParts,
])[] = [
  ['a function', '/rpc/total', '42', 'function total', {}],
  ['a function called by POST', '/rpc/total', '42', 'function total', post({})],
  ['a function that the planner folds', '/rpc/folded', '42', 'function folded', {}],
  ['a computed column', '/berth?select=bonus&id=eq.1', '[{"bonus":8}]', 'function bonus', {}],
  ['a condition on a computed column', '/berth?select=id&bonus=eq.8', '[{"id":1}]', 'function bonus', {}],
  ['a view that calls a function', '/priced?id=eq.1', '[{"id":1,"price":42}]', 'function total', {}],
];

test.each(EXPECTED)(
  '%s is available only to the role that may call it, whichever role came before',
  async (_, target, body, missing, parts) => {
    const grantTo = (role: string): string => `GRANT EXECUTE ON FUNCTION api.${target.slice(5)} TO ${role}`;
    const refusal = (hint: string): object => ({
      code: '42501',
      message: `permission denied for ${missing}`,
      details: null,
      hint: target.startsWith('/rpc/') ? hint : null,
    });
    const token = 'Send a token with the header Authorization: Bearer TOKEN';
    const anonymousHint = `${token}. To allow this without a token: ${grantTo(harbor.anon)}`;
    for (const round of ['cold', 'hot']) {
      for (let time = 0; time < (round === 'hot' ? MANY : 1); time += 1) {
        expect(await ask(harbor.user, target, parts)).toMatchObject({ status: 200, text: body });
      }
      const other = await ask(guest, target, parts);
      expect({ status: other.status, body: JSON.parse(other.text) as unknown }).toStrictEqual({
        status: 403,
        body: refusal(grantTo(guest)),
      });
      const anonymous = await ask(undefined, target, parts);
      expect({ status: anonymous.status, body: JSON.parse(anonymous.text) as unknown }).toStrictEqual({
        status: 401,
        body: refusal(anonymousHint),
      });
    }
  },
);

test('a function in a column default is available only to the role that may call it', async () => {
  const parts = post({ id: 1 });
  const returning = { ...parts, headers: { ...parts.headers, Prefer: 'return=representation' } };
  const forget = (): Promise<Answer> => ask(harbor.user, '/parcel?id=eq.1', { method: 'DELETE' });
  for (let time = 0; time < MANY; time += 1) {
    const made = await ask(harbor.user, '/parcel', returning);
    expect(made).toMatchObject({ status: 201, text: '[{"id":1,"weight":42,"twice":2}]' });
    expect((await forget()).status).toBe(204);
  }
  expect(await ask(guest, '/parcel', returning)).toMatchObject({ status: 403 });
  expect(await ask(undefined, '/parcel', returning)).toMatchObject({ status: 401 });
});

test('a role that was rejected first does not affect another role', async () => {
  const target = '/rpc/total?select=';
  for (let time = 0; time < MANY; time += 1) expect((await ask(guest, target)).status).toBe(403);
  expect(await ask(harbor.user, target)).toMatchObject({ status: 200, text: '42' });
});

describe('O123 a pre-request function that changes the role', () => {
  let switching: LocalServer;

  beforeAll(async () => {
    const options = { 'db-pool': 1, 'db-pre-request': 'api.switch_role' };
    switching = await startLocalServer(harbor, options);
  });
  afterAll(() => switching?.stop());

  test('plans of the role before the switch do not serve the role after it, nor vice versa', async () => {
    const as = async (role: string | undefined): Promise<readonly [number, string]> => {
      const { status, text } = await switching.get(
        '/rpc/total',
        role === undefined ? {} : { headers: { 'X-Role': role } },
      );
      return [status, status === 200 ? text : (JSON.parse(text) as { code: string }).code];
    };
    const token = { headers: bearer({ role: harbor.user }) };
    for (let time = 0; time < MANY; time += 1) expect((await switching.get('/rpc/total', token)).text).toBe('42');
    const lowered = await switching.get('/rpc/total', { headers: { ...token.headers, 'X-Role': guest } });
    expect(lowered.status).toBe(403);
    expect(await as(undefined)).toStrictEqual([401, '42501']);
    expect(await as(harbor.user)).toStrictEqual([200, '42']);
    expect(await as(undefined)).toStrictEqual([401, '42501']);
    expect(await as(guest)).toStrictEqual([401, '42501']);
    expect((await switching.get('/rpc/total', token)).text).toBe('42');
  });
});

describe('with db-discard-plans', () => {
  let discarding: LocalServer;

  afterAll(() => discarding?.stop());

  test.each<[string, Options]>([
    ['', {}],
    [' without prepared statements', { 'db-prepared-statements': false }],
    [' in explicit transactions', { 'db-tx-end': 'rollback' }],
    [' with a pre-request function', { 'db-pre-request': 'api.switch_role' }],
  ])('plans that functions cache serve only the role they were made for%s', async (_, options) => {
    await discarding?.stop();
    discarding = await startLocalServer(harbor, { 'db-pool': 1, 'db-discard-plans': true, ...options });
    for (const [name, missing] of [
      ['ask_total', 'function total'],
      ['ask_hidden', 'schema hidden'],
      ['ask_query', 'function total'],
    ]) {
      for (let round = 0; round < 2; round += 1) {
        for (const role of [harbor.user, harbor.user, guest, harbor.user, undefined]) {
          const headers = role === undefined ? {} : bearer({ role });
          const { status, text } = await discarding.get(`/rpc/${name}`, { headers });
          if (role === harbor.user) expect({ status, text }).toStrictEqual({ status: 200, text: '42' });
          else {
            expect(status).toBe(role === undefined ? 401 : 403);
            expect(JSON.parse(text)).toMatchObject({ code: '42501', message: `permission denied for ${missing}` });
          }
        }
      }
    }
  });

  test('the role that a pre-request function sets is the one that counts', async () => {
    await discarding?.stop();
    const options = { 'db-pool': 1, 'db-discard-plans': true, 'db-pre-request': 'api.switch_role' };
    discarding = await startLocalServer(harbor, options);
    const ask = async (role: string): Promise<number> =>
      (await discarding.get('/rpc/ask_total', { headers: { ...bearer({ role: guest }), 'X-Role': role } })).status;
    for (let round = 0; round < 3; round += 1) {
      expect(await ask(harbor.user)).toBe(200);
      expect(await ask(guest)).toBe(403);
    }
  });
});

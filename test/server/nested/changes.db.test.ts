// Nested writes that return the rows of the top level as they were and as they are (`beyond.md` §5.1).
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { useServers } from '../../support/local-server.ts';
import { failureOf, type NestedRequest, sendNested, useMarket } from './market.ts';
import { connect } from '../../support/database.ts';

const market = await useMarket();
const { anon } = market;
await market.sql(`
  create type api.size as (w int, h int);
  create table api.crate (
    id int primary key, name text unique, data jsonb, box api.size, seen timestamptz, _old text, customer_id int references api.customer);
  create table api.bottle (id int generated always as identity primary key, crate_id int references api.crate, name text);
  create function api.shout(api.crate) returns text language sql stable as $$ select upper($1.name) $$;
  create view api.crate_view as select id as no, name as label from api.crate;
  create function api.guard() returns trigger language plpgsql as $$ begin
    if new.name = 'dropped' then return null; end if;
    new.name := coalesce(nullif(new.name, 'fixed'), 'repaired');
    return new; end $$;
  create trigger guard before insert or update on api.crate for each row execute function api.guard();
  grant select, insert, update, delete on all tables in schema api to ${anon};
  grant usage on all sequences in schema api to ${anon}`);
const start = useServers(market);
const server = await start({ 'db-tx-end': 'commit-allow-override' });

beforeEach(() =>
  market.sql(`
    truncate api.orders, api.customer, api.crate, api.tag restart identity cascade;
    insert into api.customer (name, code) values ('Ann', 'a'), ('Bob', 'b');
    insert into api.orders (note, customer_id) values ('first', 1), ('second', null);
    insert into api.item (order_id, name) values (1, 'x');
    insert into api.crate values
      (1, 'one', '{"k": [1]}', '(1,2)', '2020-01-01Z', 'aged', 1), (2, 'two', null, null, null, null, null);`),
);

const MERGE = 'resolution=merge-duplicates';

async function changes(path: string, body: unknown, { prefer = '', ...rest }: NestedRequest = {}): Promise<unknown> {
  const shown = `return=changes${prefer && `, ${prefer}`}`;
  const { status, text, headers } = await sendNested(server, path, body, { ...rest, prefer: shown });
  expect(headers['preference-applied'] ?? text).toMatch(/return=changes/u);
  return [status, JSON.parse(text)];
}

const PATCH = { method: 'PATCH' } as const;

describe('B86h PATCH', () => {
  test('returns the parent before and after the write', async () => {
    const body = { note: 'new', item: { create: [{ name: 'y', quantity: 3 }] } };
    expect(await changes('/orders?id=eq.1&select=id,note,n:total', body, PATCH)).toEqual([
      200,
      [{ old: { id: 1, note: 'first', n: 1 }, new: { id: 1, note: 'new', n: 4 } }],
    ]);
  });

  test('has equal rows if the nested commands change nothing of the parent', async () => {
    const body = { order_tag: { create: [] } };
    const same = { id: 1, note: 'first', customer_id: 1 };
    expect(await changes('/orders?id=eq.1&select=id,note,customer_id', body, PATCH)).toEqual([
      200,
      [{ old: same, new: same }],
    ]);
    expect(await changes('/orders?id=eq.9', body, PATCH).catch(String)).toMatch(/SVC/u);
  });

  test('sees references to other rows change', async () => {
    expect(await changes('/orders?id=eq.1&select=customer_id', { customer: { connect: { id: 2 } } }, PATCH)).toEqual([
      200,
      [{ old: { customer_id: 1 }, new: { customer_id: 2 } }],
    ]);
    expect(await changes('/orders?id=eq.1&select=customer_id', { customer: null }, PATCH)).toEqual([
      200,
      [{ old: { customer_id: 2 }, new: { customer_id: null } }],
    ]);
  });

  test('shows every form of select, triggers and views', async () => {
    const select = 'nr:id,k:data->k,t:data->>k,text:id::text,w:box->w,shout,_old,seen';
    const body = { name: 'fixed', bottle: { create: [{ name: 'b' }] } };
    const rest = { nr: 1, k: [1], t: '[1]', text: '1', w: 1, _old: 'aged', seen: '2020-01-01T00:00:00+00:00' };
    expect(await changes(`/crate?id=eq.1&select=${select}`, body, PATCH)).toEqual([
      200,
      [{ old: { ...rest, shout: 'ONE' }, new: { ...rest, shout: 'REPAIRED' } }],
    ]);
    const labelled = { label: 'seen', bottle: { create: [{ name: 'b' }] } };
    expect(await changes('/crate_view?no=eq.2&select=label', labelled, PATCH)).toEqual([
      200,
      [{ old: { label: 'two' }, new: { label: 'seen' } }],
    ]);
  });

  test('changes the key', async () => {
    expect(
      await changes('/crate?id=eq.2&select=id,name', { id: 7, bottle: { create: [{ name: 'b' }] } }, PATCH),
    ).toEqual([200, [{ old: { id: 2, name: 'two' }, new: { id: 7, name: 'two' } }]]);
  });
});

describe('B86h POST', () => {
  const rows = [
    { id: 3, name: 'new', bottle: [{ name: 'a' }, { name: 'b' }] },
    { id: 2, name: 'changed', bottle: [{ name: 'c' }] },
    { id: 1, name: 'one' },
  ];

  test('that merges has the old rows in the order of the body', async () => {
    expect(await changes('/crate?select=id,name,box', rows, { prefer: MERGE })).toEqual([
      201,
      [
        { old: null, new: { id: 3, name: 'new', box: null } },
        { old: { id: 2, name: 'two', box: null }, new: { id: 2, name: 'changed', box: null } },
        { old: { id: 1, name: 'one', box: { w: 1, h: 2 } }, new: { id: 1, name: 'one', box: { w: 1, h: 2 } } },
      ],
    ]);
    expect(await changes('/crate?select=name&order=name.desc', rows, { prefer: MERGE })).toEqual([
      200,
      [
        { old: { name: 'one' }, new: { name: 'one' } },
        { old: { name: 'new' }, new: { name: 'new' } },
        { old: { name: 'changed' }, new: { name: 'changed' } },
      ],
    ]);
  });

  test('that merges by another key, with a row above it', async () => {
    const row = { name: 'two', customer: { name: 'Cid', code: 'c' }, bottle: [{ name: 'z' }] };
    expect(
      await changes('/crate?on_conflict=name&columns=id,name&select=id', { ...row, id: 2 }, { prefer: MERGE }),
    ).toEqual([200, [{ old: { id: 2 }, new: { id: 2 } }]]);
  });

  test('that merges leaves out rows that a trigger drops', async () => {
    const dropped = [{ id: 1, name: 'dropped' }, rows[1]];
    expect(await changes('/crate?select=name', dropped, { prefer: MERGE })).toEqual([
      200,
      [{ old: { name: 'two' }, new: { name: 'changed' } }],
    ]);
  });

  test('without a merge ignores the preference', async () => {
    const { status, text, headers } = await sendNested(server, '/crate', rows[0], { prefer: 'return=changes' });
    expect([status, text, headers['preference-applied']]).toEqual([201, '', 'nested=write']);
  });
});

test('B86h CSV has JSON text, an object is the one pair, an embed is refused', async () => {
  const body = { note: 'c', item: { create: [{ name: 'y' }] } };
  const send = async (Accept: string): Promise<string> => {
    const request = { ...PATCH, headers: { Accept }, prefer: 'return=changes' };
    return (await sendNested(server, '/orders?id=eq.2&select=note', body, request)).text;
  };
  expect((await send('text/csv')).split(/\r?\n/u)).toEqual(['old,new', '"{""note"":""second""}","{""note"":""c""}"']);
  const object = await send('application/vnd.svc.object+json');
  expect(JSON.parse(object)).toEqual({ old: { note: 'c' }, new: { note: 'c' } });
  const embed = await failureOf(server, '/orders?id=eq.2&select=note,item(name)', body, {
    ...PATCH,
    prefer: 'return=changes',
  });
  expect(embed).toMatchObject({ status: 400, code: 'SVC127', details: 'return=changes with embeds' });
});

test.each([
  ['by PATCH', '/orders?id=eq.1&select=note', { note: 'mine', item: { create: [] } }, PATCH],
  ['by a PATCH that changes only related rows', '/orders?id=eq.1&select=note', { item: { create: [] } }, PATCH],
  ['by an upsert', '/crate?select=name', [{ id: 1, name: 'mine', bottle: [{ name: 'b' }] }], { prefer: MERGE }],
])('B86h old is the row that was overwritten %s, after a rival', async (_name, path, body, request) => {
  const rival = await connect(market.adminUri);
  await rival.query('begin');
  await rival.query(
    `update api.orders set note = 'rival' where id = 1; update api.crate set name = 'rival' where id = 1`,
  );
  const answer = changes(path, body, request);
  await until(async () => {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return (await market.query(waiting)).length > 0;
  });
  await rival.query('commit');
  await rival.end();
  const [name, mine] = path.startsWith('/crate') ? ['name', 'mine'] : ['note', 'note' in body ? 'mine' : 'rival'];
  expect(await answer).toEqual([200, [{ old: { [name]: 'rival' }, new: { [name]: mine } }]]);
});

test('B86h long old rows arrive whole', async () => {
  await market.sql(`update api.crate set data = to_jsonb(repeat(E'"\\\\n', 700000)), name = E'a\\nb' where id = 1`);
  const [status, pairs] = (await changes('/crate?select=data,name', [{ id: 1, data: 1, bottle: [{ name: 'b' }] }], {
    prefer: MERGE,
  })) as [number, readonly { readonly old: { readonly data: string } }[]];
  expect([status, pairs.length, pairs[0]?.old.data.length]).toEqual([200, 1, 2_100_000]);
  expect(pairs).toMatchObject([{ old: { name: 'a\nb' }, new: { data: 1 } }]);
});

test('B86h old values do not depend on how the session writes them', async () => {
  await market.sql(`
    create table api.stamp (id int primary key, at timestamptz, code bpchar, span interval, bytes bytea);
    create table api.mark (id int primary key, stamp_id int references api.stamp);
    grant select, insert, update on api.stamp, api.mark to ${anon};
    insert into api.stamp values (1, '2020-06-01 12:00:00.5+05:30', 'x  ', '-1 day +02:03:04', 'abc')`);
  const settings = ["datestyle to 'SQL, DMY'", "timezone to 'Asia/Kolkata'", "intervalstyle to 'sql_standard'"];
  for (const setting of settings)
    await market.sql(
      `do $$ begin execute format('alter database %I set ', current_database()) || $s$${setting}$s$; end $$`,
    );
  const other = await start();
  const [stored] = JSON.parse((await other.get('/stamp')).text) as [{ readonly at: string; readonly code: string }];
  expect(stored).toMatchObject({ at: '2020-06-01T12:00:00.5+05:30', code: 'x  ' });
  for (const [path, body, request] of [
    ['/stamp?id=eq.1', { mark: { create: [] } }, PATCH],
    ['/stamp', [{ id: 1, mark: [{ id: 1 }] }], { prefer: MERGE }],
    ['/stamp', [{ id: 1 }], { prefer: MERGE }],
  ] as const) {
    const prefer = 'prefer' in request ? `return=changes, ${MERGE}` : 'return=changes';
    const { text } = await sendNested(other, path, body, { ...request, prefer });
    expect(JSON.parse(text)).toEqual([{ old: stored, new: stored }]);
  }
  await market.sql(`do $$ begin execute format('alter database %I reset all', current_database()); end $$`);
});

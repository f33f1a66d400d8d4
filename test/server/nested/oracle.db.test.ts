// Random nested writes, one after another, each compared with a model: what they store, and that a failure stores
// nothing. Changes show their row before and after. `ROWHOUSE_FUZZ_COUNT` sets their number, `ROWHOUSE_FUZZ_SEED` the first one.
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { Random } from '../../support/generate/random.ts';
import { useHarbor } from '../../support/harbor.ts';
import { useServers } from '../../support/local-server.ts';
import { sendNested } from './market.ts';
import { type FindKey, randomPatch } from './random-patch.ts';
import { draftOf, EMPTY, type Json, type State, TreeMaker } from './tree-model.ts';

const harbor = await useHarbor();
await harbor.sql(`
  create table api.customer (id int generated always as identity primary key, name text unique);
  create table api.orders (id uuid primary key default gen_random_uuid(), name text unique,
    customer_id int references api.customer);
  create table api.item (id int primary key, order_id uuid references api.orders, name text unique, quantity int default 1);
  create table api.part (id serial primary key, item_id int references api.item on delete cascade, name text not null,
    ref int references api.part deferrable initially deferred, secret text) partition by hash (id);
  create schema pieces;
  create table pieces.even partition of api.part for values with (modulus 2, remainder 0);
  create table pieces.odd partition of api.part for values with (modulus 2, remainder 1);
  create table api.tag (id serial primary key, name text unique);
  create table api.order_tag (order_id uuid references api.orders, tag_id int references api.tag,
    primary key (order_id, tag_id));
  create sequence api.item_keys;
  create function api.number_item() returns trigger language plpgsql security definer as $$ begin
    if new.name like 'drop%' then return null; end if;
    new.id := 1000 - nextval('api.item_keys'); return new; end $$;
  create trigger number_item before insert on api.item for each row execute function api.number_item();
  alter table api.part enable row level security;
  create policy parts on api.part using (true) with check (coalesce(name, '') not like 'forbidden%');
  grant select, insert, update, delete on api.customer, api.orders, api.item, api.tag, api.order_tag to ${harbor.anon};
  grant select, delete, insert (item_id, name, ref) on api.part to ${harbor.anon};
  grant usage on all sequences in schema api to ${harbor.anon};
`);
const start = useServers(harbor);
const server = await start();

const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 60);
const firstSeed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);
const MAY_FAIL = 0.08;

const STORED = `select json_build_object(
  'customers', (select coalesce(json_agg(name order by name), '[]') from api.customer),
  'orders', (select coalesce(json_agg(json_build_array(o.name, c.name) order by o.name), '[]')
    from api.orders o left join api.customer c on c.id = o.customer_id),
  'items', (select coalesce(json_agg(json_build_array(i.name, o.name) order by i.name), '[]')
    from api.item i left join api.orders o on o.id = i.order_id),
  'parts', (select coalesce(json_agg(json_build_array(p.name, i.name) order by p.name), '[]')
    from api.part p left join api.item i on i.id = p.item_id),
  'tags', (select coalesce(json_agg(name order by name), '[]') from api.tag),
  'links', (select coalesce(json_agg(o.name || ' ' || t.name order by o.name || ' ' || t.name), '[]')
    from api.order_tag l join api.orders o on o.id = l.order_id join api.tag t on t.id = l.tag_id))`;

test(`B33 B34 B60 B61 B86 ${count} random trees are stored as in a model, and a failure stores nothing`, async () => {
  let state = EMPTY;
  const problems: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count && problems.length < 3; seed += 1) {
    const draft = draftOf(state);
    const maker = new TreeMaker(new Random(seed), draft, `s${seed}`);
    const write = state.orders.size > 0 && maker.random.chance(0.5) ? await makePatch(maker, state) : makePost(maker);
    const isChange = write.method === 'PATCH' && Object.keys(write.body).length > 0;
    const isShown = isChange && maker.random.chance(0.5);
    const before = isShown ? await readOrders() : undefined;
    const prefer = isShown ? 'return=changes' : '';
    const { status, text } = await sendNested(server, write.path, write.body, { method: write.method, prefer });
    const hasFailed = status >= 400;
    if (!hasFailed) state = draft;
    const stored = JSON.stringify((await harbor.query(STORED))[0]?.[0]);
    const isExpected = hasFailed ? maker.faults.includes(codeOf(text)) : maker.faults.length === 0;
    const areShown = hasFailed || before === undefined || isPair(text, before, await readOrders());
    if (!isExpected || !areShown || stored !== describe(state))
      problems.push(
        `${seed}: ${JSON.stringify(write)}\n${status} ${text}\nfaults: ${maker.faults.join()}\n${stored}\n${describe(state)}`,
      );
  }
  expect(problems.join('\n\n')).toBe('');
}, 3_600_000);

type Orders = ReadonlyMap<unknown, unknown>;

async function readOrders(): Promise<Orders> {
  const rows = await harbor.query('select id, row_to_json(orders) from api.orders');
  return new Map(rows.map(([id, row]) => [id, row]));
}

/** Whether the response is one row, as it was and as it is stored. */
function isPair(text: string, before: Orders, after: Orders): boolean {
  const pairs = JSON.parse(text) as readonly { readonly new: { readonly id: unknown } }[];
  const id = pairs[0]?.new.id;
  return isDeepStrictEqual(pairs, [{ old: before.get(id), new: after.get(id) }]);
}

interface Write {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: Json | readonly Json[];
}

function makePost(maker: TreeMaker): Write {
  const { random } = maker;
  const body = random.chance(0.5) ? maker.order(MAY_FAIL) : random.list(1, 3, () => maker.order(MAY_FAIL));
  return { method: 'POST', path: '/orders', body };
}

async function makePatch(maker: TreeMaker, { orders }: State): Promise<Write> {
  const keys = await harbor.query(
    'select $$item $$ || name, id from api.item union all select $$tag $$ || name, id from api.tag',
  );
  const known = new Map(keys.map(([name, id]) => [String(name), Number(id)]));
  const keyOf: FindKey = (table, name) => known.get(`${table} ${name}`) ?? -1;
  const order = maker.random.pick([...orders.keys()]);
  return { method: 'PATCH', path: `/orders?name=eq.${order}`, body: randomPatch(maker, { order, keyOf }, MAY_FAIL) };
}

function codeOf(text: string): string {
  return (JSON.parse(text) as { readonly code: string }).code;
}

function describe({ customers, orders, items, parts, tags, links }: State): string {
  const list = (names: Iterable<string>): readonly string[] => [...names].toSorted();
  const pairs = (rows: ReadonlyMap<string, string | undefined>): readonly (readonly [string, string | null])[] =>
    list(rows.keys()).map((name) => [name, rows.get(name) ?? null]);
  return JSON.stringify({
    customers: list(customers),
    orders: pairs(orders),
    items: pairs(items),
    parts: pairs(parts),
    tags: list(tags),
    links: list(links),
  });
}

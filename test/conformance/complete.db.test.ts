// Statements of a request run to completion, exactly once, however little of their result the response contains.
import { expect, test } from 'vitest';
import { serveWriting } from './serve.ts';
import { use } from '../support/use.ts';

/**
 * The planner expects every fourth yard to match both conditions, but none does: it scans the yards before the written
 * row, and would stop after finding none.
 */
const FIXTURE = `
  create table api.yards (id int primary key, zone text, tone text);
  insert into api.yards select n, 'z' || n % 2, 't' || (n + 1) % 2 from generate_series(1, 40) n;
  analyze api.yards;
  create table api.visits (id int primary key, yard_id int, twin int references api.yards, hits int default 0);
  alter table api.visits add foreign key (yard_id) references api.yards;
  create function api.visited() returns trigger language plpgsql as $$
  begin
    perform set_config('response.status', '299', true), set_config('response.headers', '[{"X-Visit":"yes"}]', true);
    return new;
  end $$;
  create trigger visited before insert or update on api.visits for each row execute function api.visited();
  create function api.visit(first int) returns setof api.visits language sql volatile rows 1
    as $$ insert into api.visits (id, yard_id) values (first, 1), (first + 1, 1) returning * $$;
  create function api.first_letter(api.visits) returns text language sql stable as $$ select 'v' || $1.id $$;
  create function api.yard_of(api.visits) returns setof api.yards rows 1 language sql stable
    as $$ select * from api.yards where id = $1.yard_id $$;
  grant all on api.yards, api.visits to web_anon;`;

const NO_YARD = 'yards!visits_yard_id_fkey!inner(id)&yards.zone=eq.z0&yards.tone=eq.t0';
const SHOWN = { Prefer: 'return=representation' };

const service = await use(serveWriting({}, FIXTURE));

async function countVisits(condition: string): Promise<unknown> {
  const [row] = await service.query(`select count(*)::int as n from api.visits where ${condition}`);
  return row?.['n'];
}

const EMPTIED = [
  { method: 'POST', query: '', body: { id: 1, yard_id: 1 }, stays: 'id = 1', prefer: '' },
  { method: 'PATCH', query: 'id=eq.1&', body: { hits: 5 }, stays: 'id = 1 and hits = 5', prefer: '' },
  { method: 'POST', query: '', body: { id: 1, hits: 6 }, stays: 'hits = 6', prefer: ', resolution=merge-duplicates' },
];

for (const { method, query, body, stays, prefer } of EMPTIED) {
  test(`W126 W288 a trigger controls the response of a ${method}${prefer} whose required embed removes every row`, async () => {
    const headers = { Prefer: `return=representation${prefer}` };
    const response = await service.send({ method, path: `/visits?${query}select=id,${NO_YARD}`, headers, body });
    expect([response.status, response.headers.get('x-visit'), response.body.toString()]).toEqual([299, ['yes'], '[]']);
    expect(await countVisits(stays)).toBe(1);
  });
}

const PAGES = [
  { title: 'a limit of 0', query: 'limit=0', first: 100 },
  { title: 'a limit', query: 'limit=1', first: 200 },
  { title: 'a required embed without rows', query: `select=id,${NO_YARD}`, first: 300 },
  { title: 'a filter without rows', query: 'id=lt.0', first: 400 },
];

for (const { title, query, first } of PAGES) {
  test(`W218 a volatile function runs once with ${title}`, async () => {
    const response = await service.send({ method: 'POST', path: `/rpc/visit?${query}`, body: { first } });
    expect([response.status, response.headers.get('x-visit')]).toEqual([299, ['yes']]);
    expect(await countVisits(`id in (${first}, ${first + 1})`)).toBe(2);
  });
}

test('W218 a volatile function runs once if its total is counted', async () => {
  const headers = { Prefer: 'count=exact' };
  const response = await service.send({ method: 'POST', path: '/rpc/visit?limit=1', headers, body: { first: 500 } });
  expect(response.headers.get('content-range')).toEqual(['0-0/2']);
  expect(await countVisits('id in (500, 501)')).toBe(2);
});

test('W65 W66 computed columns and computed embeds can both be selected from a write or a call', async () => {
  const select = 'select=*,first_letter,yard_of(id)';
  const shown = { id: 900, yard_id: 2, twin: null, hits: 0, first_letter: 'v900', yard_of: { id: 2 } };
  const body = { id: 900, yard_id: 2 };
  const written = await service.send({ method: 'POST', path: `/visits?${select}`, headers: SHOWN, body });
  expect(JSON.parse(written.body.toString())).toEqual([shown]);
  const path = '/rpc/visit?select=first_letter,yard_of(id)&first_letter=eq.v910&order=first_letter&limit=5';
  const called = await service.send({ method: 'POST', path, body: { first: 910 } });
  expect(JSON.parse(called.body.toString())).toEqual([{ first_letter: 'v910', yard_of: { id: 1 } }]);
});

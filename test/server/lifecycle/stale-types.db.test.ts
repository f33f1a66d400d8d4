// A type is dropped and recreated under its name while prepared statements of a connection have parameters of the old
// type.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, post, startLocalServer, type LocalServer, type RequestParts } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

const MAKE = `
  create type api.mood as enum ('calm', 'wild');
  create domain api.grade as int;
  create type api.size as (w int, h int);
  create function api.mood_of(m api.mood) returns text language sql stable as 'select m::text';
  create function api.moods_of(m api.mood[]) returns int language sql stable as 'select cardinality(m)';
  create function api.area(s api.size) returns int language sql stable as 'select s.w * s.h';
  create function api.grade_of(g api.grade) returns int language sql stable as 'select g::int';
  alter table api.sea add mood api.mood not null default 'calm', add moods api.mood[] not null default '{calm}',
    add grade api.grade not null default 1;`;
const DROP = 'drop type api.mood cascade; drop type api.size cascade; drop domain api.grade cascade;';

await harbor.sql(`create table api.sea (id int primary key); insert into api.sea values (1);
    grant select, insert, update, delete on api.sea to ${harbor.user}; ${MAKE}`);
const server = await use(startLocalServer(harbor, { 'db-pool': 1, 'db-channel-enabled': false }));

const REQUESTS: readonly (readonly [target: string, text: string, parts: RequestParts])[] = [
  ['/sea?select=id&mood=eq.calm', '[{"id":1}]', {}],
  ['/sea?select=id&mood=in.(calm,wild)', '[{"id":1}]', {}],
  ['/sea?select=id&mood=eq(any).{calm,wild}', '[{"id":1}]', {}],
  ['/sea?select=id&moods=cs.{calm}', '[{"id":1}]', {}],
  ['/sea?select=id&moods=ov.{calm,wild}', '[{"id":1}]', {}],
  ['/sea?select=id&grade=eq.1', '[{"id":1}]', {}],
  ['/sea?select=mood,moods,grade', '[{"mood":"calm","moods":["calm"],"grade":1}]', {}],
  ['/rpc/mood_of?m=wild', '"wild"', {}],
  ['/rpc/mood_of', '"wild"', post({ m: 'wild' })],
  ['/rpc/moods_of?m={wild,calm}', '2', {}],
  ['/rpc/area', '6', post({ s: { w: 2, h: 3 } })],
  ['/rpc/grade_of?g=4', '4', {}],
  [
    '/sea?id=eq.1&select=id,mood',
    '[{"id":1,"mood":"calm"}]',
    { ...post({ mood: 'calm', moods: ['calm'] }), method: 'PATCH' },
  ],
];

/** Sends a request as a role that may write, and returns the representation of writes. */
function ask(target: string, { headers, ...parts }: RequestParts = {}): ReturnType<LocalServer['get']> {
  const all = { ...headers, ...bearer({ role: harbor.user }), Prefer: 'return=representation' };
  return server.get(target, { ...parts, headers: all });
}

test.each(REQUESTS)('%s is answered after its types were recreated, without a reload', async (target, text, parts) => {
  for (let time = 0; time < 8; time += 1) expect(await ask(target, parts)).toMatchObject({ status: 200, text });
  await harbor.sql(`${DROP} ${MAKE}`);
  expect(await ask(target, parts)).toMatchObject({ status: 200, text });
});

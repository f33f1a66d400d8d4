// A write with its position is in the stream when that position is reached, at once (`beyond.md` §6.2 to §6.4).
import { createCollection } from '@tanstack/db';
import { afterEach, expect, test } from 'vitest';
import { connect, type Live } from '../../packages/live/src/index.ts';
import { rowhouseCollectionOptions } from '../../packages/tanstack-db/src/index.ts';
import { PUBLICATION, useLiveHarbor } from '../server/live/live-harbor.ts';
import { bearer, useServers } from '../support/local-server.ts';
import { Recorder } from './support/recorder.ts';

const harbor = await useLiveHarbor(
  ({ user }) => `
  create table api.todo (id int primary key, title text);
  create function api.note_saved() returns trigger language plpgsql as $$ begin new.title := new.title || ' (saved)'; return new; end $$;
  create trigger note_saved before insert on api.todo for each row execute function api.note_saved();
  grant select, insert on api.todo to ${user};
  create publication ${PUBLICATION} for table api.todo;
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-interval': 20 });

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  await harbor.sql('truncate api.todo');
});

function open(): Live {
  const { Authorization = '' } = bearer({ role: harbor.user, sub: 'ann' });
  const url = `http://127.0.0.1:${server.port}`;
  const live = connect({ url, token: Authorization.slice('Bearer '.length) });
  endings.push(() => live.close());
  return live;
}

test('B94 a write with its position is contained when it is reached', async () => {
  const live = open();
  const todos = new Recorder();
  live.watch('/todo', todos.callbacks);
  await todos.calledTimes(1);
  for (let id = 1; id < 20; id += 1) {
    const body = JSON.stringify({ id, title: 'mine' });
    const headers = { prefer: 'position', 'content-type': 'application/json' };
    const response = await live.fetch('/todo', { method: 'POST', body, headers });
    await live.reached(response.headers.get('svc-lsn') ?? 'none');
    expect(todos.rows.get(id)).toEqual({ id, title: 'mine (saved)' });
  }
});

test('B97 the row of the server replaces the optimistic one without a gap', async () => {
  const todos = createCollection(
    rowhouseCollectionOptions<{ id: number; title: string }, number>({ live: open(), path: '/todo', gcTime: 0 }),
  );
  endings.unshift(() => todos.cleanup());
  await todos.preload();
  const seen: string[] = [];
  todos.subscribeChanges((changes) => {
    for (const { type, key, value } of changes) seen.push(`${type} ${key} ${value.title}`);
  });
  const ids = Array.from({ length: 19 }, (_, index) => index + 1);
  for (const id of ids) await todos.insert({ id, title: 'mine' }).isPersisted.promise;
  expect(seen).toEqual(ids.flatMap((id) => [`insert ${id} mine`, `update ${id} mine (saved)`]));
});

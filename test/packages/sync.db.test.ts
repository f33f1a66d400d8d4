// The packages over a server and PostgreSQL: what clients see is what the database has (`beyond.md` §6.3, §6.4).
import { createCollection, createLiveQueryCollection, createTransaction, eq, like, or } from '@tanstack/db';
import { NonRetriableError, startOfflineExecutor, type StorageAdapter } from '@tanstack/offline-transactions';
import { afterEach, describe, expect, test } from 'vitest';
import { connect, type ConnectOptions, type Live } from '../../packages/live/src/index.ts';
import {
  commitTransaction,
  offlineMutation,
  rowhouseCollectionOptions,
  type RowhouseConfig,
} from '../../packages/tanstack-db/src/index.ts';
import { renderIdempotencySetup } from '../../src/extensions/idempotency/idempotency-setup.ts';
import { PUBLICATION, useLiveHarbor } from '../server/live/live-harbor.ts';
import { bearer, useServers } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { Recorder } from './support/recorder.ts';

const harbor = await useLiveHarbor(
  ({ user }) => `
  create table api.todo (id int primary key, list int not null default 1, title text check (length(title) < 100), size bigint, made date);
  create table api.list (id int primary key, name text not null, owner text not null default current_setting('request.jwt.claims')::json ->> 'sub');
  alter table api.list enable row level security;
  create policy own on api.list using (owner = current_setting('request.jwt.claims')::json ->> 'sub');
  create function api.note_saved() returns trigger language plpgsql as $$ begin new.title := new.title || ' (saved)'; return new; end $$;
  create trigger note_saved before insert on api.todo for each row when (new.list = 7) execute function api.note_saved();
  grant select, insert, update, delete on api.todo, api.list to ${user};
  create publication ${PUBLICATION} for table api.todo, api.list;
  ${renderIdempotencySetup('private').join('\n')}
`,
);

const start = useServers(harbor);
const server = await start({
  'live-publication': PUBLICATION,
  'live-interval': 20,
  'db-idempotency-schema': 'private',
});

interface Todo {
  readonly id: number;
  list: number;
  title: string | null;
  size: bigint | null;
  made: Date | null;
}

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  await harbor.sql('truncate api.todo; truncate api.list');
});

/** A client of a user. */
function open(sub: string, options: Partial<ConnectOptions> = {}): Live {
  const { Authorization = '' } = bearer({ role: harbor.user, sub });
  const live = connect({
    url: `http://127.0.0.1:${server.port}`,
    token: Authorization.slice('Bearer '.length),
    ...options,
  });
  endings.push(() => live.close());
  return live;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types
function makeTodos(live: Live, more: Partial<Omit<RowhouseConfig<Todo, number>, 'schema'>> = {}) {
  const todos = createCollection(
    rowhouseCollectionOptions<Todo, number>({
      live,
      path: '/todo',
      select: 'id,list,title,size::text,made',
      parse: { size: BigInt, made: (text: string) => new Date(text) },
      gcTime: 0,
      ...more,
    }),
  );
  endings.unshift(() => todos.cleanup());
  return todos;
}

function todo(id: number, title: string | null = 'a', list = 1): Todo {
  return { id, list, title, size: null, made: null };
}

function watch(live: Live, path: string): Recorder {
  const recorder = new Recorder();
  live.watch(path, recorder.callbacks);
  return recorder;
}

describe('the client', () => {
  test('B94 reads follow the database, also while the list changes', async () => {
    await harbor.sql(`insert into api.todo (id, title) values (1, 'one')`);
    const live = open('ann');
    const first = watch(live, '/todo?order=id');
    await first.calledTimes(1);
    const others: Recorder[] = [];
    for (let id = 2; id < 12; id += 1) {
      await harbor.sql(`insert into api.todo (id, title) values (${id}, 'more')`);
      others.push(watch(live, `/todo?id=gte.${id}&select=id,title`));
      await others.at(-1)!.calledTimes(1);
    }
    await until(() => first.rows.size === 11, { why: () => first.calls.join(', ') });
    for (const [index, other] of others.entries()) await until(() => other.rows.size === 10 - index);
    // Nothing came twice.
    expect(first.calls.filter((call) => call.startsWith('rows'))).toHaveLength(1);
    expect(first.calls.filter((call) => call === 'change +1 -0')).toHaveLength(10);
  });

  test('B94 a read that cannot begin ends, and the others go on', async () => {
    const live = open('ann');
    const wrong = watch(live, '/todo?nope=eq.1');
    const right = watch(live, '/todo');
    await right.calledTimes(1);
    expect((await wrong.calledTimes(1))[0]).toMatch(/^final 4/u);
    expect(wrong.errors[0]?.code).toBe('42703');
  });

  test('B94 the iterable follows as well', async () => {
    const live = open('ann');
    const iterator = live.rows<Todo>('/todo?select=id,title');
    expect((await iterator.next()).value).toEqual([]);
    await harbor.sql(`insert into api.todo (id, title) values (1, 'one')`);
    expect((await iterator.next()).value).toEqual([{ id: 1, title: 'one' }]);
    await iterator.return?.();
  });
});

describe('collections', () => {
  test('B95 two clients see each other, with values of every type', async () => {
    const [ann, bob] = [makeTodos(open('ann')), makeTodos(open('bob'))];
    await Promise.all([ann.preload(), bob.preload()]);
    const mine = { ...todo(1, 'ü 🏮 "\\\n'), size: 9_007_199_254_740_993n, made: new Date('2026-01-02') };
    await ann.insert(mine).isPersisted.promise;
    await until(() => bob.has(1));
    expect(bob.get(1)).toMatchObject(mine);
    await bob.update(1, (draft) => {
      draft.title = null;
      draft.size = -9_007_199_254_740_993n;
    }).isPersisted.promise;
    await until(() => ann.get(1)?.title === null);
    expect(ann.get(1)).toMatchObject({ size: -9_007_199_254_740_993n, made: new Date('2026-01-02') });
    await ann.delete(1).isPersisted.promise;
    await until(() => bob.size === 0);
  });

  test('B97 what the database refuses rolls back with its error', async () => {
    const todos = makeTodos(open('ann'));
    await todos.preload();
    const insert = todos.insert(todo(1, 'x'.repeat(100)));
    expect(todos.has(1)).toBe(true);
    await expect(insert.isPersisted.promise).rejects.toMatchObject({ name: 'WriteError', code: '23514', status: 400 });
    expect(todos.has(1)).toBe(false);
    await todos.insert(todo(2)).isPersisted.promise;
    await until(() => todos.has(2));
    await harbor.sql('alter table api.todo disable trigger all; delete from api.todo');
    const gone = todos.update(2, (draft) => {
      draft.title = 'late';
    });
    await expect(gone.isPersisted.promise).rejects.toMatchObject({ code: 'SVC134', status: 404 });
  });

  test('B98 several collections are written together or not at all', async () => {
    const live = open('ann');
    const todos = makeTodos(live);
    const lists = createCollection(
      rowhouseCollectionOptions<{ id: number; name: string }, number>({ live, path: '/list', select: 'id,name' }),
    );
    endings.unshift(() => lists.cleanup());
    await Promise.all([todos.preload(), lists.preload()]);
    const write = (title: string): Promise<unknown> => {
      const transaction = createTransaction({ mutationFn: ({ transaction: done }) => commitTransaction(live, done) });
      transaction.mutate(() => {
        lists.insert({ id: 1, name: 'Home' });
        todos.insert([todo(1, title), todo(2, title)]);
      });
      return transaction.isPersisted.promise;
    };
    await expect(write('x'.repeat(100))).rejects.toMatchObject({ code: '23514' });
    expect([todos.size, lists.size]).toEqual([0, 0]);
    expect(await harbor.query('select count(*)::int from api.list')).toEqual([[0]]);
    await write('fine');
    await until(() => todos.size === 2 && lists.size === 1);
    const other = watch(open('bob'), '/list');
    await other.calledTimes(1);
    expect(other.rows.size).toBe(0);
  });
});

describe('on demand', () => {
  test('B96 predicates mean for the server what they mean for the client', async () => {
    const titles = ['a', 'b"', 'c,d)', '\\', ' %_', "o'k", '', 'null', 'not.eq.a'];
    for (const [id, title] of titles.entries())
      await harbor.sql(
        `insert into api.todo (id, list, title) values (${id}, ${id % 3}, '${title.replaceAll("'", "''")}')`,
      );
    const todos = makeTodos(open('ann'), { syncMode: 'on-demand' });
    for (const title of titles) {
      const query = createLiveQueryCollection({
        query: (q) => q.from({ row: todos }).where(({ row }) => or(eq(row.title, title), like(row.title, 'o_k'))),
        gcTime: 0,
      });
      await query.preload();
      expect(new Set(query.toArray.map((row) => row.title))).toEqual(new Set([title, "o'k"]));
      // Nothing else was read.
      expect(todos.size).toBe(query.size);
      await query.cleanup();
    }
  });
});

describe('offline', () => {
  test('B99 writes are sent in order, and each takes effect once, even if responses are lost', async () => {
    let isOnline = false;
    let lost = 0;
    const live = open('ann', {
      fetch: async (url, init) => {
        const isWrite = new Headers(init.headers).has('idempotency-key');
        if (isWrite && !isOnline) throw new TypeError('offline');
        const response = await fetch(url, init);
        if (!isWrite || (lost += 1) % 3 === 0) return response;
        await response.text();
        throw new TypeError('the response was lost');
      },
    });
    const todos = makeTodos(live);
    await todos.preload();
    const listeners = new Set<() => void>();
    const offline = startOfflineExecutor({
      collections: { todos },
      mutationFns: { write: offlineMutation(live, NonRetriableError) },
      storage: new MemoryStorage(),
      jitter: false,
      leaderElection: {
        requestLeadership: () => Promise.resolve(true),
        releaseLeadership() {},
        isLeader: () => true,
        onLeadershipChange: () => () => {},
      },
      onlineDetector: {
        subscribe: (callback) => {
          listeners.add(callback);
          return () => listeners.delete(callback);
        },
        notifyOnline: () => listeners.forEach((listener) => listener()),
        isOnline: () => isOnline,
        dispose: () => listeners.clear(),
      },
    });
    endings.unshift(() => offline.dispose());
    await offline.waitForInit();
    const commits = Array.from({ length: 6 }, async (_, id) => {
      const transaction = offline.createOfflineTransaction({ mutationFnName: 'write', autoCommit: false });
      transaction.mutate(() => {
        todos.insert(todo(id, 'made offline'));
        if (id > 0) todos.update(0, (draft) => (draft.title = `after ${id}`));
      });
      return transaction.commit();
    });
    expect(todos.size).toBe(6);
    isOnline = true;
    listeners.forEach((listener) => listener());
    await Promise.all(commits);
    expect(await harbor.query('select id, title from api.todo order by id')).toEqual([
      [0, 'after 5'],
      ...Array.from({ length: 5 }, (_, index) => [index + 1, 'made offline']),
    ]);
    expect(lost).toBeGreaterThan(12);
    await until(() => todos.size === 6);
    await until(() => todos.get(0)?.title === 'after 5');
  });

  test('B99 what the server refuses ends, and what follows is sent', async () => {
    const live = open('ann');
    const todos = makeTodos(live);
    await todos.preload();
    const write = offlineMutation(live, NonRetriableError);
    const mutation = { type: 'insert', original: {}, changes: {}, collection: todos } as const;
    const send = (id: number, title: string): Promise<void> =>
      write({
        transaction: { id: `t${id}`, mutations: [{ ...mutation, modified: todo(id, title) }] },
        idempotencyKey: `k${id}`,
      });
    const failure: unknown = await send(1, 'x'.repeat(100)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NonRetriableError);
    expect(failure).toMatchObject({ code: '23514', status: 400 });
    await send(2, 'fine');
    await send(2, 'fine');
    await until(() => todos.has(2));
    expect(todos.size).toBe(1);
  });
});

class MemoryStorage implements StorageAdapter {
  readonly #texts = new Map<string, string>();

  get = (key: string): Promise<string | null> => Promise.resolve(this.#texts.get(key) ?? null);
  set = (key: string, value: string): Promise<void> => Promise.resolve(void this.#texts.set(key, value));
  delete = (key: string): Promise<void> => Promise.resolve(void this.#texts.delete(key));
  keys = (): Promise<string[]> => Promise.resolve([...this.#texts.keys()]);
  clear = (): Promise<void> => Promise.resolve(this.#texts.clear());
}

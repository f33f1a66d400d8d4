// Collections of TanStack DB over a scripted server (`beyond.md` §6.4).
import {
  BTreeIndex,
  createCollection,
  createLiveQueryCollection,
  createTransaction,
  eq,
  gt,
  upper,
} from '@tanstack/db';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { connect, type Live } from '../../../packages/live/src/index.ts';
import {
  commitTransaction,
  rowhouseCollectionOptions,
  type RowhouseConfig,
  WriteError,
} from '../../../packages/tanstack-db/src/index.ts';
import { until } from '../../support/until.ts';
import { type Exchange, type ScriptedServer, useScriptedServers } from '../support/scripted-server.ts';

interface Todo {
  readonly id: number;
  title: string;
  list: number;
}

const start = useScriptedServers();
const endings: (() => unknown)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) await end();
});

function open({ url }: ScriptedServer): Live {
  const live = connect({ url });
  endings.push(() => live.close());
  return live;
}

function todo(id: number, title = 'a', list = 1): Todo {
  return { id, title, list };
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types
function makeTodos(live: Live, more: Partial<Omit<RowhouseConfig<Todo, number>, 'schema'>> = {}) {
  const todos = createCollection(rowhouseCollectionOptions<Todo, number>({ live, path: '/todos', gcTime: 0, ...more }));
  endings.push(() => todos.cleanup());
  return todos;
}

/** Changes of a collection as text: `insert 1 a`. */
function record(collection: ReturnType<typeof makeTodos>): string[] {
  const seen: string[] = [];
  const subscription = collection.subscribeChanges(
    (changes) => {
      for (const { type, key, value } of changes) seen.push(`${type} ${key} ${value.title}`);
    },
    { includeInitialState: true },
  );
  endings.push(() => subscription.unsubscribe());
  seen.length = 0;
  return seen;
}

function titles(collection: { readonly toArray: readonly { readonly title: string }[] }): string {
  return collection.toArray
    .map(({ title }) => title)
    .toSorted()
    .join(' ');
}

async function startEagerly(rows: readonly Todo[] = [todo(1)], more: Parameters<typeof makeTodos>[1] = {}) {
  const server = await start();
  const live = open(server);
  const todos = makeTodos(live, more);
  const ready = todos.preload();
  const stream = await server.accept();
  stream.rows('todos', 'e1', rows).position('1:0/1');
  await ready;
  return { server, live, todos, stream };
}

/** The next write, with the answer that it was done. */
async function answerWrite(server: ScriptedServer, position: string): Promise<Exchange> {
  const exchange = await server.next();
  exchange.answer(200, [], { 'svc-lsn': position });
  return exchange;
}

describe('eager', () => {
  test('B95 an event that `parse` cannot read changes nothing, and the next ones are applied whole', async () => {
    const reported: unknown[] = [];
    const parse = {
      title: (title: string) => {
        if (title === 'broken') throw new TypeError('no title');
        return title;
      },
    };
    const { todos, stream } = await startEagerly([todo(1)], { parse });
    const reporting = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((call) => void reported.push(call));
    stream.change('todos', 'e2', [todo(2, 'b'), todo(3, 'broken')]);
    await until(() => reported.length > 0);
    reporting.mockRestore();
    expect(titles(todos)).toBe('a');
    stream
      .reset('todos')
      .rows('todos', 'e3', [todo(1), todo(2, 'b'), todo(3, 'c')])
      .position('1:0/3');
    await until(() => todos.get(3)?.title === 'c');
    expect(titles(todos)).toBe('a b c');
  });

  test('B95 rows replace the content, and changes are applied', async () => {
    const { todos, stream } = await startEagerly([todo(1), todo(2)]);
    expect(todos.status).toBe('ready');
    expect(todos.utils.status).toBe('open');
    expect(titles(todos)).toBe('a a');
    const seen = record(todos);
    stream.change('todos', 'e2', [todo(1, 'b'), todo(3, 'c')], [{ id: 2 }]);
    await until(() => todos.size === 2 && todos.has(3));
    expect(seen).toEqual(['delete 2 a', 'update 1 b', 'insert 3 c']);
    seen.length = 0;
    // What is equal is not written again.
    stream.reset('todos').rows('todos', 'e3', [todo(3, 'c'), todo(4, 'd')]);
    await until(() => todos.has(4));
    expect(seen.toSorted()).toEqual(['delete 1 b', 'insert 4 d']);
  });

  test('B95b the error of the server is the one of the collection, if rows never come', async () => {
    const server = await start();
    const todos = makeTodos(open(server));
    const ready = todos.preload();
    (await server.accept()).error('todos', 403, { code: '42501', message: 'permission denied', hint: 'Sign in' });
    await expect(ready).rejects.toMatchObject({ code: '42501', hint: 'Sign in', status: 403 });
    expect(todos.status).toBe('error');
    expect(todos.utils.error).toMatchObject({ code: '42501' });
  });

  test('B95c rows that may not be read any more leave the collection', async () => {
    const { todos, stream } = await startEagerly();
    stream.error('todos', 403, { code: '42501', message: 'permission denied' });
    await until(() => todos.size === 0);
    expect(todos.utils.error).toMatchObject({ code: '42501' });
  });

  test('B95d values are parsed and serialized by column, and the key may be any column', async () => {
    interface Visit {
      readonly harbor: string;
      readonly at: Date;
      tons: bigint;
    }
    const server = await start();
    const visits = createCollection(
      rowhouseCollectionOptions<Visit, string>({
        live: open(server),
        path: '/visits',
        select: 'harbor,at,tons::text',
        getKey: ({ harbor, at }) => `${harbor} ${at.toISOString()}`,
        parse: { at: (text: string) => new Date(text), tons: BigInt },
        serialize: { at: (date) => date.toISOString().slice(0, 10) },
      }),
    );
    endings.push(() => visits.cleanup());
    const ready = visits.preload();
    const stream = await server.accept();
    const path = 'visits?select=harbor%2Cat%2Ctons%3A%3Atext';
    expect(stream.reads).toEqual([path]);
    stream.rows(path, 'e1', [
      { harbor: 'A', at: '2026-01-01', tons: '9007199254740993' },
      { harbor: 'B', at: '2026-01-02', tons: '1' },
    ]);
    await ready;
    const key = `A ${new Date('2026-01-01').toISOString()}`;
    expect(visits.get(key)).toMatchObject({ tons: 9007199254740993n, at: new Date('2026-01-01') });
    const update = visits.update(key, (draft) => {
      draft.tons += 2n;
    });
    const patch = await answerWrite(server, '1:0/2');
    expect([patch.method, decodeURIComponent(patch.path)]).toEqual(['PATCH', '/visits?match=harbor,at']);
    expect(JSON.parse(patch.text)).toEqual([{ harbor: 'A', at: '2026-01-01', tons: '9007199254740995' }]);
    stream.change(path, 'e2', [], [{ harbor: 'A', at: '2026-01-01' }]).position('1:0/2');
    await update.isPersisted.promise;
    expect([...visits.keys()]).toEqual([`B ${new Date('2026-01-02').toISOString()}`]);
  });

  test('B95e refetch reads all rows again', async () => {
    const { server, todos } = await startEagerly();
    let isDone = false;
    const done = todos.utils.refetch().then(() => (isDone = true));
    const list = await server.accept();
    expect(list.reads).toEqual(['todos']);
    expect(isDone).toBe(false);
    list.rows('todos', 'e9', [todo(9)]);
    await done;
    expect([...todos.keys()]).toEqual([9]);
  });
});

test('B95f types follow from those of `rowhouse types`', async () => {
  interface Tables {
    readonly todos: {
      readonly Row: { readonly id: number; readonly title: string | null };
      readonly Insert: { readonly id?: number; readonly title?: string | null };
    };
  }
  const server = await start();
  const todos = createCollection(
    rowhouseCollectionOptions<Tables['todos'], number>({ live: open(server), path: '/todos' }),
  );
  expectTypeOf(todos.get(1)?.title).toEqualTypeOf<string | null | undefined>();
  expectTypeOf(todos.utils.refetch).toEqualTypeOf<() => Promise<void>>();
});

describe('mutations', () => {
  test('B97 an insert is one request, and its row stays until the stream has it', async () => {
    const { server, todos, stream } = await startEagerly();
    const seen = record(todos);
    const insert = todos.insert(todo(2, 'mine'));
    const post = await server.next();
    expect([post.method, post.path, JSON.parse(post.text)]).toEqual(['POST', '/todos', todo(2, 'mine')]);
    expect(post.headers).toMatchObject({
      prefer: 'position',
      'content-type': 'application/json',
      'idempotency-key': `transaction-${insert.id}`,
    });
    post.answer(201, null, { 'svc-lsn': '1:0/A0' });
    let isPersisted = false;
    const persisted = insert.isPersisted.promise.then(() => (isPersisted = true));
    stream.position('1:0/9F');
    await until(() => todos.has(2));
    expect(isPersisted).toBe(false);
    stream.change('todos', 'e2', [todo(2, 'of the server')]).position('1:0/A0');
    await persisted;
    expect(todos.get(2)?.title).toBe('of the server');
    expect(seen).toEqual(['insert 2 mine', 'update 2 of the server']);
  });

  test('B97b an update sends the changed columns only, and a deletion its key', async () => {
    const { server, todos, stream } = await startEagerly([todo(1), todo(2)]);
    const update = todos.update(1, (draft) => {
      draft.title = 'b';
    });
    const patch = await answerWrite(server, '1:0/2');
    expect([patch.method, patch.path, patch.headers['prefer']]).toEqual([
      'PATCH',
      '/todos?match=id',
      'position, unmatched=fail',
    ]);
    expect(JSON.parse(patch.text)).toEqual([{ id: 1, title: 'b' }]);
    stream.change('todos', 'e2', [todo(1, 'b')]).position('1:0/2');
    await update.isPersisted.promise;
    const deletion = todos.delete([1, 2]);
    const gone = await answerWrite(server, '1:0/3');
    expect([gone.method, decodeURIComponent(gone.path)]).toEqual(['DELETE', '/todos?or=(id.eq."1",id.eq."2")']);
    stream.change('todos', 'e3', [], [{ id: 1 }, { id: 2 }]).position('1:0/3');
    await deletion.isPersisted.promise;
    expect(todos.size).toBe(0);
  });

  test('B97c an error of the server is thrown, and the collection rolls back', async () => {
    const { server, todos } = await startEagerly();
    const update = todos.update(1, (draft) => {
      draft.title = 'wrong';
    });
    expect(todos.get(1)?.title).toBe('wrong');
    const error = { code: '23514', message: 'too long', hint: 'Shorten it', details: 'title' };
    (await server.next()).answer(400, error);
    const failure: unknown = await update.isPersisted.promise.catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(WriteError);
    expect(failure).toMatchObject({ name: 'WriteError', status: 400, ...error });
    expect(todos.get(1)?.title).toBe('a');
  });

  test('B97d a mutation waits no longer than the time limit for a stream that is down', async () => {
    const { server, todos, stream } = await startEagerly([todo(1)], { positionTimeout: 50 });
    stream.cut();
    const insert = todos.insert(todo(2));
    await answerWrite(server, '1:0/A0');
    await insert.isPersisted.promise;
  });

  test('B97e a lost response is an error that can be repeated', async () => {
    const { server, todos } = await startEagerly();
    const insert = todos.insert(todo(2));
    (await server.next()).cut();
    await expect(insert.isPersisted.promise).rejects.toMatchObject({
      name: 'UnsettledWriteError',
      message: 'The write has not been confirmed',
    });
  });

  test('B97g writes are sent in their order, each after the response to the one before', async () => {
    const { server, todos, stream } = await startEagerly();
    const insert = todos.insert(todo(2));
    const update = todos.update(2, (draft) => {
      draft.title = 'b';
    });
    const refused = todos.update(1, (draft) => {
      draft.title = 'c';
    });
    const first = await server.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.exchanges.at(-1)).toBe(first);
    first.answer(201, [], { 'svc-lsn': '1:0/2' });
    const second = await server.next();
    expect([first.method, second.method]).toEqual(['POST', 'PATCH']);
    second.cut();
    await expect(update.isPersisted.promise).rejects.toMatchObject({ name: 'UnsettledWriteError' });
    // One that fails does not hold up those after it.
    (await server.next()).answer(403, { code: '42501', message: 'no' });
    await expect(refused.isPersisted.promise).rejects.toMatchObject({ code: '42501' });
    stream.change('todos', 'e2', [todo(2)]).position('1:0/2');
    await insert.isPersisted.promise;
  });

  test('B97f several rows are one write', async () => {
    const { server, todos, stream } = await startEagerly();
    const insert = todos.insert([todo(2), todo(3)]);
    const post = await answerWrite(server, '1:0/2');
    expect(JSON.parse(post.text)).toEqual([todo(2), todo(3)]);
    stream.change('todos', 'e2', [todo(2), todo(3)]).position('1:0/2');
    await insert.isPersisted.promise;
  });

  test('B98 mutations of several collections are one batch, in their order', async () => {
    const { server, live, todos, stream } = await startEagerly([todo(1), todo(5)]);
    const lists = createCollection(
      rowhouseCollectionOptions<{ id: number; name: string }, number>({ live, path: '/lists' }),
    );
    endings.push(() => lists.cleanup());
    const ready = lists.preload();
    const both = await server.accept();
    both.rows('lists', 'l1', [{ id: 1, name: 'Home' }]).position('1:0/2');
    await ready;
    await stream.closed();
    const transaction = createTransaction({ mutationFn: ({ transaction: done }) => commitTransaction(live, done) });
    transaction.mutate(() => {
      lists.insert({ id: 2, name: 'Work' });
      todos.insert(todo(2, 'b', 2));
      todos.update(1, (draft) => {
        draft.list = 2;
      });
      todos.delete(5);
    });
    const batch = await answerWrite(server, '1:0/9');
    expect([batch.method, batch.path]).toEqual(['POST', '/']);
    expect(batch.headers).toMatchObject({
      'content-type': 'application/vnd.pgrst.batch+json',
      'idempotency-key': `transaction-${transaction.id}`,
      prefer: 'position',
    });
    expect(JSON.parse(batch.text)).toEqual([
      { method: 'POST', path: '/lists', body: { id: 2, name: 'Work' } },
      { method: 'POST', path: '/todos', body: todo(2, 'b', 2) },
      { method: 'PATCH', path: '/todos?match=id', headers: { prefer: 'unmatched=fail' }, body: [{ id: 1, list: 2 }] },
      { method: 'DELETE', path: '/todos?or=(id.eq.%221%22)'.replace('1', '5') },
    ]);
    both.change('lists', 'l2', [{ id: 2, name: 'Work' }]);
    both.change('todos', 'e2', [todo(2, 'b', 2), todo(1, 'a', 2)], [{ id: 5 }]).position('1:0/9');
    await transaction.isPersisted.promise;
    expect(todos.toArray.map(({ id, list }) => [id, list])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(lists.size).toBe(2);
  });
});

describe('on demand', () => {
  test('B96 a subset is a live read with its filter, and ends with it', async () => {
    const server = await start();
    const live = open(server);
    const todos = makeTodos(live, { syncMode: 'on-demand' });
    const query = createLiveQueryCollection({
      query: (q) => q.from({ todo: todos }).where(({ todo: row }) => eq(row.list, 1)),
      gcTime: 0,
    });
    const loaded = query.preload();
    const stream = await server.accept();
    expect(stream.reads).toEqual(['todos?list=eq.1']);
    stream.rows('todos?list=eq.1', 'e1', [todo(1), todo(2)]);
    await loaded;
    expect(query.size).toBe(2);
    stream.change('todos?list=eq.1', 'e2', [todo(3)], [{ id: 1 }]);
    await until(() => query.has(3));
    expect(new Set(query.keys())).toEqual(new Set([2, 3]));
    await query.cleanup();
    await stream.closed();
    expect(todos.size).toBe(0);
  });

  test('B96b a subset that another one contains shares its read, and gets its own when that ends', async () => {
    const server = await start();
    const live = open(server);
    const todos = makeTodos(live, { syncMode: 'on-demand' });
    const make = (minimum: number | undefined) =>
      createLiveQueryCollection({
        query: (q) => {
          const all = q.from({ todo: todos }).where(({ todo: row }) => eq(row.list, 1));
          return minimum === undefined ? all : all.where(({ todo: row }) => gt(row.id, minimum));
        },
        gcTime: 0,
      });
    const small = make(1);
    const smallLoaded = small.preload();
    const first = await server.accept();
    const smallPath = 'todos?list=eq.1&and=(id.gt.%221%22)';
    expect(first.reads).toEqual([smallPath]);
    first.rows(smallPath, 'a1', [todo(2)]);
    await smallLoaded;
    const large = make(undefined);
    const largeLoaded = large.preload();
    const second = await server.accept();
    expect(second.reads).toEqual([`${smallPath}@a1`, 'todos?list=eq.1']);
    second.rows('todos?list=eq.1', 'b1', [todo(1), todo(2)]);
    await largeLoaded;
    // The small one is served by the large one.
    const third = await server.accept();
    expect(third.reads).toEqual(['todos?list=eq.1@b1']);
    const other = make(1);
    await other.preload();
    expect(other.size).toBe(1);
    expect(server.exchanges).toHaveLength(3);
    await large.cleanup();
    const fourth = await server.accept();
    expect(fourth.reads).toEqual(['todos?list=eq.1@b1', smallPath]);
    fourth.rows(smallPath, 'c1', [todo(2)]);
    const fifth = await server.accept();
    expect(fifth.reads).toEqual([`${smallPath}@c1`]);
    expect([...todos.keys()]).toEqual([2]);
    expect(small.size).toBe(1);
    await Promise.all([small.cleanup(), other.cleanup()]);
  });

  test('B96c an order with a limit is read from its beginning', async () => {
    const server = await start();
    const todos = makeTodos(open(server), {
      syncMode: 'on-demand',
      autoIndex: 'eager',
      defaultIndexType: BTreeIndex,
    });
    const query = createLiveQueryCollection({
      query: (q) =>
        q
          .from({ todo: todos })
          .orderBy(({ todo: row }) => row.id, { direction: 'desc', nulls: 'last' })
          .limit(2),
    });
    const loaded = query.preload();
    const stream = await server.accept();
    const [path = ''] = stream.reads;
    expect(path).toBe('todos?order=id.desc.nullslast&limit=2');
    stream.rows(path, 'e1', [todo(8), todo(7)]);
    // TanStack DB asks for rows that are equal to the last one in the order.
    const ties = await server.accept();
    expect(ties.reads).toEqual([`${path}@e1`, 'todos?id=eq.7']);
    ties.rows('todos?id=eq.7', 't1', [todo(7)]);
    await loaded;
    expect(query.toArray.map(({ id }) => id)).toEqual([8, 7]);
    ties.rows(path, 'e2', [todo(9), todo(8)]);
    await until(() => query.has(9));
    expect(query.toArray.map(({ id }) => id)).toEqual([9, 8]);
    await query.cleanup();
  });

  test('B96g the order of a path gives way to that of the query, and a limit is refused', async () => {
    const server = await start();
    const live = open(server);
    const path = '/todos?list=eq.1&order=title&title=neq.?';
    const todos = makeTodos(live, { path, syncMode: 'on-demand', autoIndex: 'eager', defaultIndexType: BTreeIndex });
    const query = createLiveQueryCollection({
      query: (q) =>
        q
          .from({ todo: todos })
          .orderBy(({ todo: row }) => row.id)
          .limit(2),
      gcTime: 0,
    });
    void query.preload();
    const stream = await server.accept();
    expect(stream.reads).toEqual(['todos?list=eq.1&title=neq.?&order=id.asc.nullsfirst&limit=2']);
    await query.cleanup();
    for (const bound of ['/todos?limit=5', '/todos?order=id&offset=5'])
      expect(() => makeTodos(live, { path: bound, syncMode: 'on-demand' })).toThrow(
        `${bound} has a limit or an offset, so it cannot be loaded on demand`,
      );
  });

  test('B96d what the server cannot say is left to the client, and with a limit it is an error that names it', async () => {
    const server = await start();
    const todos = makeTodos(open(server), { syncMode: 'on-demand' });
    const loose = createLiveQueryCollection({
      query: (q) =>
        q
          .from({ todo: todos })
          .where(({ todo: row }) => eq(row.list, 1))
          .where(({ todo: row }) => eq(upper(row.title), 'B')),
    });
    const loaded = loose.preload();
    const stream = await server.accept();
    expect(stream.reads).toEqual(['todos?list=eq.1']);
    stream.rows('todos?list=eq.1', 'e1', [todo(1, 'a'), todo(2, 'b')]);
    await loaded;
    expect(titles(loose)).toBe('b');
    const limited = createLiveQueryCollection({
      query: (q) =>
        q
          .from({ todo: todos })
          .where(({ todo: row }) => eq(upper(row.title), 'B'))
          .orderBy(({ todo: row }) => row.id)
          .limit(1),
    });
    await expect(limited.preload()).rejects.toThrow('The server cannot evaluate eq(upper(title), "B") with a limit');
    await Promise.all([loose.cleanup(), limited.cleanup()]);
  });

  test('B96f rows of a subset that may not be read any more leave the collection', async () => {
    const server = await start();
    const todos = makeTodos(open(server), { syncMode: 'on-demand' });
    const query = createLiveQueryCollection({ query: (q) => q.from({ todo: todos }), gcTime: 0 });
    const loaded = query.preload();
    const stream = await server.accept();
    stream.rows('todos', 'e1', [todo(1)]);
    await loaded;
    stream.error('todos', 403, { code: '42501', message: 'permission denied' });
    await until(() => query.size === 0);
    expect(todos.utils.error).toMatchObject({ code: '42501' });
    await query.cleanup();
  });

  test('B96e the error of a subset is the one of its query', async () => {
    const server = await start();
    const todos = makeTodos(open(server), { syncMode: 'on-demand' });
    const query = createLiveQueryCollection({ query: (q) => q.from({ todo: todos }) });
    const loaded = query.preload();
    (await server.accept()).error('todos', 400, { code: 'SVC140', message: 'too many rows' });
    await expect(loaded).rejects.toThrow('too many rows');
    await query.cleanup();
  });
});

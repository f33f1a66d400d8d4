// One connection for all reads of a page: the list, its changes, errors, and the end (`beyond.md` §6.3).
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect, type ConnectOptions, type Live } from '../../../packages/live/src/index.ts';
import { until } from '../../support/until.ts';
import { Recorder } from '../support/recorder.ts';
import { type ScriptedServer, useScriptedServers } from '../support/scripted-server.ts';

const start = useScriptedServers();
const connections: Live[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const live of connections.splice(0)) live.close();
});

function open({ url }: ScriptedServer, options: Partial<ConnectOptions> = {}): Live {
  const live = connect({ url, ...options });
  connections.push(live);
  return live;
}

function watch(live: Live, path: string): Recorder {
  const recorder = new Recorder();
  live.watch(path, recorder.callbacks);
  return recorder;
}

/** Pauses are as short as they can be: 0.5 s. */
function shortenPauses(): void {
  vi.spyOn(Math, 'random').mockReturnValue(0);
}

function row(id: number, title = 'a'): { readonly id: number; readonly title: string } {
  return { id, title };
}

describe('the list', () => {
  test('B94 reads that are watched at once make one request', async () => {
    const server = await start();
    const live = open(server, { url: `${server.url}/api/`, headers: { 'Accept-Profile': 'shop' } });
    expect(live.status).toBe('waiting');
    const names = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const recorders = names.map((name) => watch(live, `/${name}?select=id`));
    const list = await server.accept();
    expect(live.status).toBe('connecting');
    expect([list.method, list.path]).toEqual(['POST', '/api/']);
    expect(list.headers).toMatchObject({
      accept: 'text/event-stream',
      'accept-profile': 'shop',
      'content-type': 'application/vnd.pgrst.batch+json',
      prefer: 'position',
    });
    expect(list.reads).toEqual(names.map((name) => `${name}?select=id`));
    for (const name of names) list.rows(`${name}?select=id`, 'e1', [row(1)]);
    for (const recorder of recorders) expect(await recorder.calledTimes(1)).toEqual(['rows 1']);
    expect(live.status).toBe('open');
    await setTimeout(50);
    expect(server.exchanges).toHaveLength(1);
  });

  test('B94 a function that parses events keeps large numbers', async () => {
    const server = await start();
    const parse = (json: string): unknown => JSON.parse(json.replaceAll(/:(\d{16,})/gu, ':"$1"'));
    const recorder = watch(open(server, { parse }), '/todos');
    (await server.accept()).raw('event: rows\ndata: {"id":"1","eventId":"e1","rows":[{"id":9007199254740993}]}\n\n');
    await recorder.calledTimes(1);
    expect([...recorder.rows.values()]).toEqual([{ id: '9007199254740993' }]);
  });

  test('B94b equal paths share one read, and a late watcher begins with the same rows', async () => {
    const server = await start();
    const live = open(server);
    const first = watch(live, 'todos');
    const second = watch(live, '/todos');
    const list = await server.accept();
    expect(list.reads).toEqual(['todos']);
    list.rows('todos', 'e1', [row(1)]).change('todos', 'e2', [row(2)]);
    await second.calledTimes(2);
    const late = watch(live, '/todos');
    expect(await late.calledTimes(2)).toEqual(['rows 1', 'change +1 -0']);
    list.change('todos', 'e3', [row(3)], [{ id: 1 }]);
    await late.calledTimes(3);
    for (const { rows } of [first, second, late]) expect([...rows.keys()]).toEqual([2, 3]);
    await setTimeout(50);
    expect(server.exchanges).toHaveLength(1);
  });

  test('B94c headers tell reads apart, whatever their order and case', async () => {
    const server = await start();
    const live = open(server);
    live.watch('/todos', { headers: { Range: '0-9', Prefer: 'count=exact' } });
    live.watch('/todos', { headers: { prefer: 'count=exact', range: '0-9' } });
    live.watch('/todos', {});
    const { list } = await server.next();
    expect(list.map(({ headers }) => headers)).toEqual([{ Range: '0-9', Prefer: 'count=exact' }, undefined]);
  });

  test('B94d a late watcher gets all rows again if too many changes came after them', async () => {
    const server = await start();
    const live = open(server);
    const first = watch(live, 'todos');
    const list = await server.accept();
    list.rows('todos', 'e1', []);
    const many = Array.from({ length: 600 }, (_, id) => row(id));
    list.change('todos', 'e2', many).change('todos', 'e3', many);
    await first.calledTimes(3);
    const late = watch(live, 'todos');
    const again = await server.accept();
    expect(again.reads).toEqual(['todos']);
    again.rows('todos', 'e3', many);
    expect(await late.calledTimes(1)).toEqual(['rows 600']);
    expect(first.rows.size).toBe(600);
  });

  test('B94 a fresh read gets all rows again, and so do the others', async () => {
    const server = await start();
    const live = open(server);
    const first = watch(live, 'todos');
    const old = await server.accept();
    old.rows('todos', 'e1', [row(1)]);
    await first.calledTimes(1);
    const fresh = new Recorder();
    live.watch('todos', { ...fresh.callbacks, fresh: true });
    const list = await server.accept();
    expect(list.reads).toEqual(['todos']);
    expect(fresh.calls).toEqual([]);
    list.rows('todos', 'e2', [row(2)]);
    await Promise.all([fresh.calledTimes(1), first.calledTimes(2)]);
    expect([...first.rows.keys(), ...fresh.rows.keys()]).toEqual([2, 2]);
  });

  test('B94e a signal that has been aborted begins nothing', async () => {
    const server = await start();
    const live = open(server);
    const recorder = new Recorder();
    live.watch('/todos', { ...recorder.callbacks, signal: AbortSignal.abort() });
    await setTimeout(50);
    expect(server.exchanges).toEqual([]);
    expect(recorder.calls).toEqual([]);
    for await (const rows of live.rows('/todos', { signal: AbortSignal.abort() })) expect(rows).toBe('never');
  });
});

describe('a changed list', () => {
  test('B94f the new stream is opened before the old one is closed, and goes on after its events', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const old = await server.accept();
    old.rows('todos', 'e1', [row(1)]).change('todos', 'e2', [row(2)]);
    await todos.calledTimes(2);
    const people = watch(live, 'people');
    const next = await server.next();
    expect(next.reads).toEqual(['todos@e2', 'people']);
    expect(old.isClosed).toBe(false);
    // Comes on both streams.
    old.change('todos', 'e3', [row(3)]);
    await todos.calledTimes(3);
    next
      .open()
      .rows('people', 'p1', [row(7)])
      .change('todos', 'e3', [row(3)])
      .change('todos', 'e4', [row(4)]);
    await old.closed();
    expect(await people.calledTimes(1)).toEqual(['rows 1']);
    await todos.calledTimes(4);
    expect(todos.calls).toEqual(['rows 1', 'change +1 -0', 'change +1 -0', 'change +1 -0']);
    expect([...todos.rows.keys()]).toEqual([1, 2, 3, 4]);
    expect(live.status).toBe('open');
  });

  test('B94g reads that are watched while a stream is being opened get the next one', async () => {
    const server = await start();
    const live = open(server);
    watch(live, 'todos');
    const first = await server.next();
    const people = watch(live, 'people');
    await setTimeout(50);
    expect(server.exchanges).toHaveLength(1);
    first.open();
    const second = await server.accept();
    expect(second.reads).toEqual(['todos', 'people']);
    second.rows('people', 'p1', []);
    expect(await people.calledTimes(1)).toEqual(['rows 0']);
    await first.closed();
  });

  test('B94h a refused list leaves the open stream as it is', async () => {
    shortenPauses();
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const old = await server.accept();
    old.rows('todos', 'e1', [row(1)]);
    await todos.calledTimes(1);
    const people = watch(live, 'people');
    (await server.next()).answer(503, { code: 'SVC140', message: 'full' });
    expect(await people.calledTimes(1)).toEqual(['error 503']);
    old.change('todos', 'e2', [row(2)]);
    await todos.calledTimes(2);
    expect(live.status).toBe('open');
    const again = await server.accept();
    expect(again.reads).toEqual(['todos@e2', 'people']);
    again.rows('people', 'p1', []);
    expect(await people.calledTimes(2)).toEqual(['error 503', 'rows 0']);
    expect(todos.calls).toEqual(['rows 1', 'change +1 -0']);
  });

  test('B94i a read that nobody watches leaves the list, and comes back without a request if soon', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const people = new Recorder();
    const stop = live.watch('people', people.callbacks);
    const old = await server.accept();
    old.rows('todos', 'e1', []).rows('people', 'p1', [row(1)]);
    await people.calledTimes(1);
    stop();
    old.change('people', 'p2', [row(2)]).change('todos', 'e2', [row(2)]);
    await todos.calledTimes(2);
    expect(people.calls).toEqual(['rows 1']);
    const again = new Recorder();
    const stopAgain = live.watch('people', again.callbacks);
    expect(await again.calledTimes(2)).toEqual(['rows 1', 'change +1 -0']);
    expect(server.exchanges).toHaveLength(1);
    stopAgain();
    const next = await server.accept();
    expect(next.reads).toEqual(['todos@e2']);
    await old.closed();
  });

  test('B94j rows that begin again wait until they are as new as those that are shown', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const old = await server.accept();
    old.rows('todos', 'e1', [row(1, 'old')]).position('1:0/100');
    await todos.calledTimes(1);
    const people = watch(live, 'people');
    const next = await server.next();
    old.change('todos', 'e2', [row(1, 'new')]).position('1:0/200');
    await todos.calledTimes(2);
    // Another process answers, which has read earlier.
    next
      .open()
      .reset('todos')
      .rows('todos', 'x1', [row(1, 'old')])
      .rows('people', 'p1', [])
      .position('1:0/150');
    await people.calledTimes(1);
    expect(todos.titles).toBe('new');
    next.change('todos', 'x2', [row(1, 'new')]).position('1:0/200');
    await todos.calledTimes(4);
    expect(todos.titles).toBe('new');
    await old.closed();
  });
});

describe('errors', () => {
  test('B94k an error ends one read for good, and the others go on', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const secrets = watch(live, 'secrets');
    const list = await server.accept();
    list.error('secrets', 403, { code: '42501', message: 'permission denied', details: null, hint: 'Sign in' });
    list.rows('todos', 'e1', []);
    expect(await secrets.calledTimes(1)).toEqual(['final 403']);
    expect(secrets.errors[0]).toMatchObject({ code: '42501', message: 'permission denied', hint: 'Sign in' });
    list.change('todos', 'e2', [row(1)]);
    expect(await todos.calledTimes(2)).toEqual(['rows 0', 'change +1 -0']);
    await setTimeout(50);
    expect(server.exchanges).toHaveLength(1);
    // It begins again if it is watched again.
    watch(live, 'secrets');
    expect((await server.next()).reads).toEqual(['todos@e2', 'secrets']);
  });

  test('B94l an error that passes asks for this read again after a pause', async () => {
    shortenPauses();
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const people = watch(live, 'people');
    const list = await server.accept();
    list.rows('todos', 'e1', []).error('people', 503);
    expect(await people.calledTimes(1)).toEqual(['error 503']);
    const again = await server.accept();
    expect(again.reads).toEqual(['todos@e1', 'people']);
    again.rows('people', 'p1', []);
    await people.calledTimes(2);
    expect(todos.calls).toEqual(['rows 0']);
  });

  test('B94m the element that makes the server refuse a list ends, and the others are asked for again', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const wrong = watch(live, 'rpc/channel');
    (await server.next()).answer(400, { code: 'SVC102', message: 'no read', request: 1 });
    expect(await wrong.calledTimes(1)).toEqual(['final 400']);
    const list = await server.accept();
    expect(list.reads).toEqual(['todos']);
    list.rows('todos', 'e1', []);
    expect(await todos.calledTimes(1)).toEqual(['rows 0']);
  });

  test('B94n a server that knows no lists ends all reads with its error', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    (await server.next()).answer(404, { code: 'SVC205', message: 'not found' });
    expect(await todos.calledTimes(1)).toEqual(['final 404']);
    await until(() => live.status === 'waiting');
    await setTimeout(1100);
    expect(server.exchanges).toHaveLength(1);
  });

  test('B94o an exception of a callback is reported, and disturbs no other', async () => {
    const reported: unknown[] = [];
    const server = await start();
    const live = open(server);
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((call) => {
      void Promise.resolve()
        .then(call)
        .catch((error: unknown) => reported.push(error));
    });
    live.watch('todos', {
      onRows: () => {
        throw new Error('mine');
      },
    });
    const other = watch(live, 'todos');
    const list = await server.accept();
    list.rows('todos', 'e1', []).change('todos', 'e2', [row(1)]);
    expect(await other.calledTimes(2)).toEqual(['rows 0', 'change +1 -0']);
    await until(() => reported.length === 1);
    expect(String(reported[0])).toBe('Error: mine');
  });

  test('B94p what is no event stream is an error that says so', async () => {
    shortenPauses();
    const server = await start();
    const todos = watch(open(server), 'todos');
    (await server.next()).answer(200, []);
    expect(await todos.calledTimes(1)).toEqual(['error 200']);
    expect(todos.errors[0]?.message).toBe('No events, but status 200');
  });
});

describe('tokens', () => {
  test('B94q a function is asked again after 401 and after `expired`', async () => {
    const server = await start();
    let asked = 0;
    const live = open(server, { token: () => Promise.resolve(`t${(asked += 1)}`) });
    const todos = watch(live, 'todos');
    const first = await server.next();
    expect(first.headers.authorization).toBe('Bearer t1');
    first.answer(401, { code: 'SVC303', message: 'expired' });
    const second = await server.accept();
    expect(second.headers.authorization).toBe('Bearer t2');
    second.rows('todos', 'e1', []);
    await todos.calledTimes(1);
    await setTimeout(550);
    second.raw('event: expired\ndata:\n\n');
    const third = await server.accept();
    expect(third.headers.authorization).toBe('Bearer t3');
    expect(third.reads).toEqual(['todos@e1']);
    expect(todos.calls).toEqual(['rows 0']);
    expect(asked).toBe(3);
  });

  test('B94r a token that is refused twice is tried again after a pause, and a fixed one is final', async () => {
    shortenPauses();
    const server = await start();
    const todos = watch(open(server, { token: () => 'never' }), 'todos');
    (await server.next()).answer(401, { message: 'no' });
    (await server.next()).answer(401, { message: 'no' });
    expect(await todos.calledTimes(1)).toEqual(['error 401']);
    (await server.accept()).rows('todos', 'e1', []);
    await todos.calledTimes(2);
    const fixed = watch(open(server, { token: 'fixed' }), 'people');
    (await server.next()).answer(401, { message: 'no' });
    expect(await fixed.calledTimes(1)).toEqual(['final 401']);
  });

  test('B94s a function that fails is asked again after a pause', async () => {
    shortenPauses();
    const server = await start();
    const token = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('t2');
    const todos = watch(open(server, { token }), 'todos');
    expect(await todos.calledTimes(1)).toEqual(['error token']);
    expect((await server.next()).headers.authorization).toBe('Bearer t2');
  });

  test('B94t `fetch` sends the headers and the token of the connection', async () => {
    const server = await start();
    const tokens = ['t1', 't2'];
    const live = open(server, { token: () => tokens.shift() ?? 'none', headers: { prefer: 'tx=rollback', a: '1' } });
    const sent = live.fetch('todos?id=eq.1', { method: 'PATCH', body: '{}', headers: { Prefer: 'position', a: '2' } });
    (await server.next()).answer(401, {});
    const second = await server.next();
    expect([second.method, second.path, second.text]).toEqual(['PATCH', '/todos?id=eq.1', '{}']);
    expect(second.headers).toMatchObject({ authorization: 'Bearer t2', prefer: 'tx=rollback, position', a: '2' });
    second.answer(200, []);
    expect((await sent).status).toBe(200);
  });
});

describe('positions', () => {
  test('B94u `reached` resolves when every read contains the position', async () => {
    const server = await start();
    const live = open(server);
    await live.reached('1:0/100');
    const todos = watch(live, 'todos');
    let isReached = false;
    const reached = live.reached('1:0/FF').then(() => (isReached = true));
    const list = await server.accept();
    list.rows('todos', 'e1', []).position('1:0/FE');
    await todos.calledTimes(1);
    await setTimeout(30);
    expect(isReached).toBe(false);
    list.position('1:1/0');
    await reached;
    await live.reached('1:0/FFFFFFFF');
    const controller = new AbortController();
    const aborted = live.reached('2:0/0', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(live.reached('unknown')).rejects.toThrow('"unknown" is not a position');
    const closed = live.reached('2:0/0');
    live.close();
    await expect(closed).rejects.toMatchObject({ code: 'closed' });
  });

  test('B94v after a change of the list, what was reached stays reached, for the reads that were there', async () => {
    const server = await start();
    const live = open(server);
    const todos = watch(live, 'todos');
    const old = await server.accept();
    old.rows('todos', 'e1', []).position('1:0/100');
    await todos.calledTimes(1);
    watch(live, 'people');
    const next = await server.accept();
    await old.closed();
    let isReached = false;
    const reached = live.reached('1:0/90').then(() => (isReached = true));
    await setTimeout(30);
    // `people` may have been read before that.
    expect(isReached).toBe(false);
    next.rows('people', 'p1', []).position('1:0/95');
    await reached;
  });
});

describe('iterables', () => {
  test('B94w arrays are whole and current, and those that nobody takes are skipped', async () => {
    const server = await start();
    const live = open(server);
    const iterator = live.rows<{ readonly id: number; readonly title: string }>('todos');
    const first = iterator.next();
    const list = await server.accept();
    list.rows('todos', 'e1', [row(1), row(2)]);
    expect((await first).value).toEqual([row(1), row(2)]);
    list.change('todos', 'e2', [row(1, 'b')]).change('todos', 'e3', [row(3)], [{ id: 2 }]);
    const watcher = watch(live, 'todos');
    await watcher.calledTimes(3);
    expect((await iterator.next()).value).toEqual([row(1, 'b'), row(3)]);
    const waiting = iterator.next();
    live.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('B94x a key of other columns is reported, or passed', async () => {
    const server = await start();
    const live = open(server);
    const wrong = live.rows('seats');
    const right = live.rows('seats', { key: ['row', 'id'] });
    const first = [wrong.next(), right.next()];
    const list = await server.accept();
    list.rows('seats', 'e1', [
      { row: 1, id: 1 },
      { row: 2, id: 1 },
    ]);
    await Promise.all(first);
    list.change('seats', 'e2', [], [{ row: 1, id: 1 }]);
    await expect(wrong.next()).rejects.toThrow('The key is not (id). Pass `key`');
    expect((await right.next()).value).toEqual([{ row: 2, id: 1 }]);
  });

  test('B94y a final error ends the iteration with it, and leaving it ends the read', async () => {
    const server = await start();
    const live = open(server);
    const failing = live.rows('secrets').next();
    void server.accept().then((list) => list.error('secrets', 404).rows('todos', 'e1', []));
    for await (const rows of live.rows('todos')) {
      expect(rows).toEqual([]);
      break;
    }
    await expect(failing).rejects.toMatchObject({ status: 404 });
  }, 10_000);
});

describe('the end', () => {
  test('B94z nothing is left after `close`', async () => {
    const server = await start();
    const live = open(server);
    const seen: string[] = [];
    live.addEventListener('status', () => seen.push(live.status));
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const todos = new Recorder();
    live.watch('todos', { ...todos.callbacks, signal: controller.signal });
    const list = await server.accept();
    list.rows('todos', 'e1', []);
    await todos.calledTimes(1);
    watch(live, 'people');
    const opening = await server.next();
    live.close();
    live.close();
    await list.closed();
    await opening.closed();
    expect(seen).toEqual(['connecting', 'open', 'closed']);
    expect(removed).toHaveBeenCalledOnce();
    expect(() => live.watch('todos', {})).toThrow('The connection is closed');
    await setTimeout(600);
    expect(server.exchanges).toHaveLength(2);
    expect(todos.calls).toEqual(['rows 0']);
  });

  test('B94z3 `close` in a listener of `status` is the last change, and no request follows', async () => {
    const server = await start();
    const live = open(server);
    const seen: string[] = [];
    live.addEventListener('status', () => {
      seen.push(live.status);
      live.close();
    });
    watch(live, 'todos');
    await until(() => seen.length > 0);
    await setTimeout(100);
    expect([seen, server.exchanges.length]).toEqual([['connecting', 'closed'], 0]);
  });

  test.each(['before the list is accepted', 'after it was accepted'])(
    'B94z4 `close` in `onError` of a connection that is lost %s',
    async (when) => {
      const server = await start();
      const live = open(server);
      const seen: string[] = [];
      live.addEventListener('status', () => seen.push(live.status));
      live.watch('todos', { onError: () => live.close() });
      const list = await server.next();
      if (when.startsWith('after')) {
        list.open().position('1:0/1');
        await until(() => live.status === 'open');
      }
      list.cut();
      await until(() => seen.includes('closed'));
      await setTimeout(50);
      expect(seen.at(-1)).toBe('closed');
      expect(() => live.watch('todos', {})).toThrow('The connection is closed');
    },
  );

  test('B94z2 the last read closes the connection', async () => {
    const server = await start();
    const live = open(server);
    const controller = new AbortController();
    live.watch('todos', { signal: controller.signal });
    const list = await server.accept();
    controller.abort();
    await list.closed();
    await until(() => live.status === 'waiting');
    expect(server.exchanges).toHaveLength(1);
  });
});

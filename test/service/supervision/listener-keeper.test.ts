import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fail, ok } from '../../../src/contract/result.ts';
import type { Observation } from '../../../src/observe/observation.ts';
import { ListenerKeeper, type ListenerKeeperOptions } from '../../../src/service/supervision/listener-keeper.ts';

type OpenOptions = Parameters<ListenerKeeperOptions['open']>[0];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

interface Watched {
  readonly keeper: ListenerKeeper;
  readonly opened: OpenOptions[];
  readonly seen: string[];
  readonly observations: Observation[];
}

/** Each attempt fails with the next text; without one it succeeds. */
function createKeeper(failures: string[] = []): Watched {
  const [opened, seen, observations]: [OpenOptions[], string[], Observation[]] = [[], [], []];
  const keeper = new ListenerKeeper({
    open: (options) => {
      opened.push(options);
      const details = failures.shift();
      if (details !== undefined) return Promise.resolve(fail({ kind: 'cannotConnect', details }));
      const close = (): Promise<void> => Promise.resolve(void seen.push(`closed ${options.channel}`));
      return Promise.resolve(ok({ serverVersion: 'PostgreSQL 18', host: 'db', port: 5432, close }));
    },
    observe: (observation) => observations.push(observation),
    onSchemaNotified: () => seen.push('schema'),
    onConfigNotified: () => seen.push('config'),
    onConnected: () => seen.push('connected'),
    onFailed: (error) => error.kind === 'cannotConnect' && error.details === 'fatal',
  });
  return { keeper, opened, seen, observations };
}

const SETTINGS = { dbChannel: 'svc', dbChannelEnabled: true };

test('O185 O186 payloads are compared exactly', async () => {
  const { keeper, opened, seen } = createKeeper();
  keeper.apply(SETTINGS);
  await keeper.connect();
  for (const payload of ['reload schema', '', 'reload config', 'Reload schema', 'reload', 'reload schema '])
    opened[0]?.onNotification(payload);
  expect(seen).toEqual(['connected', 'schema', 'schema', 'config']);
});

test('after a loss the pause starts at one second again, and failures double it', async () => {
  const { keeper, opened, observations } = createKeeper(['down', 'down']);
  keeper.apply(SETTINGS);
  await vi.advanceTimersByTimeAsync(3000);
  expect(keeper.isListening).toBe(true);
  opened[2]?.onLoss('gone');
  expect(keeper.isListening).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(keeper.isListening).toBe(true);
  expect(observations.flatMap((each) => (each.kind === 'listenerRetrying' ? [each.seconds] : []))).toEqual([1, 2, 1]);
});

test('O174 it connects within a pause when asked, once', async () => {
  const { keeper, opened, observations } = createKeeper(['down', 'down']);
  keeper.apply(SETTINGS);
  await keeper.connect();
  await keeper.connect();
  expect([opened.length, keeper.isListening]).toEqual([2, false]);
  await Promise.all([keeper.connect(), keeper.connect()]);
  expect([opened.length, keeper.isListening]).toEqual([3, true]);
  await keeper.connect();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened).toHaveLength(3);
  expect(observations.filter(({ kind }) => kind === 'listenerRetrying')).toHaveLength(1);
});

test('during a pause it retries once a second without logging', async () => {
  const { keeper, opened, observations } = createKeeper(Array.from({ length: 10 }, () => 'down'));
  keeper.apply(SETTINGS);
  // Attempts after 1, 3 and 7 seconds are logged.
  await vi.advanceTimersByTimeAsync(9500);
  expect([opened.length, keeper.isListening]).toEqual([10, false]);
  await vi.advanceTimersByTimeAsync(500);
  expect(keeper.isListening).toBe(true);
  expect(observations.flatMap((each) => (each.kind === 'listenerRetrying' ? [each.seconds] : []))).toEqual([
    1, 2, 4, 8,
  ]);
  // One cause is logged once.
  expect(observations.filter(({ kind }) => kind === 'listenerFailed')).toHaveLength(1);
});

test('the usage of a damaged notification queue is queried at the next attempt, once', async () => {
  const { keeper, opened, observations } = createKeeper(['could not access status of transaction 7']);
  keeper.apply(SETTINGS);
  await vi.advanceTimersByTimeAsync(1000);
  opened[1]?.onLoss('gone');
  await vi.advanceTimersByTimeAsync(1000);
  expect(opened.map(({ isQueueRepaired }) => isQueueRepaired)).toEqual([false, true, false]);
  expect(observations).toContainEqual({ kind: 'notificationQueueDamaged' });
});

test('O189 settings enable and disable it and change its channel', async () => {
  const { keeper, opened, seen } = createKeeper();
  keeper.apply(SETTINGS);
  keeper.apply(SETTINGS);
  await keeper.connect();
  keeper.apply({ ...SETTINGS, dbChannel: 'quay' });
  await keeper.connect();
  keeper.apply({ ...SETTINGS, dbChannelEnabled: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.map(({ channel }) => channel)).toEqual(['svc', 'quay']);
  expect(seen).toEqual(['connected', 'closed svc', 'connected', 'closed quay']);
  expect(keeper.isListening).toBe(false);
});

test('a connection that opens after the stop is closed, and nothing is retried', async () => {
  const { keeper, seen, opened } = createKeeper();
  keeper.apply(SETTINGS);
  await keeper.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([seen, opened.length]).toEqual([['closed svc'], 1]);
});

test('O178 a failure that ends the process is not retried', async () => {
  const { keeper, opened } = createKeeper(['fatal']);
  keeper.apply(SETTINGS);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened).toHaveLength(1);
});

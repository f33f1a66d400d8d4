// Connecting to a stream of events, and again after a lost connection.
import { expect, test } from 'vitest';
import { endOfRows, followStream } from '../../../explorer/src/watch/follow-stream.ts';
import type { StreamState } from '../../../explorer/src/watch/stream-state.ts';

interface Followed {
  readonly states: readonly StreamState[];
  readonly events: readonly string[];
  readonly lastIds: readonly (string | undefined)[];
  readonly pauses: readonly number[];
}

/** Each answer is one connection; the stream is stopped after the last one. */
async function follow(answers: readonly (Response | undefined)[]): Promise<Followed> {
  const stop = new AbortController();
  const states: StreamState[] = [];
  const events: string[] = [];
  const lastIds: (string | undefined)[] = [];
  const pauses: number[] = [];
  await followStream({
    open(lastId) {
      lastIds.push(lastId);
      const answer = answers[lastIds.length - 1];
      return answer === undefined ? Promise.reject(new TypeError('no connection')) : Promise.resolve(answer);
    },
    onState: (state) => states.push(state),
    endOf: endOfRows,
    onEvent: ({ name }) => events.push(name),
    wait(milliseconds) {
      pauses.push(milliseconds);
      if (lastIds.length === answers.length) stop.abort();
      return Promise.resolve();
    },
    signal: stop.signal,
  });
  return { states, events, lastIds, pauses };
}

function stream(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });
}

test('connects again with the latest id, after pauses that grow', async () => {
  const rows = 'event: rows\nid: a-1\ndata: []\n\n';
  const followed = await follow([undefined, undefined, stream(rows), undefined, undefined]);
  expect(followed.lastIds).toEqual([undefined, undefined, undefined, 'a-1', 'a-1']);
  expect(followed.pauses).toEqual([500, 1000, 500, 1000, 2000]);
  expect(followed.events).toEqual(['rows']);
  expect(followed.states.map(({ kind }) => kind)).toEqual([
    'connecting',
    'reconnecting',
    'reconnecting',
    'live',
    'reconnecting',
    'reconnecting',
    'reconnecting',
  ]);
});

test('waits as long as the server wants', async () => {
  const busy = new Response('{}', { status: 503, headers: { 'Retry-After': '4' } });
  const { pauses } = await follow([busy, stream('retry: 7000\n\n')]);
  expect(pauses).toEqual([4000, 7000]);
});

test('ends with the error of the stream', async () => {
  const { states } = await follow([stream('event: error\ndata: {"code":"42501","message":"no"}\n\n')]);
  expect(states.at(-1)).toMatchObject({ kind: 'ended', error: { code: '42501', message: 'no' } });
});

test('ends when the token has expired', async () => {
  const { states } = await follow([stream('event: expired\ndata: \n\n')]);
  expect(states.at(-1)).toMatchObject({ kind: 'ended', error: { message: 'The token has expired.' } });
});

test('ends when the server rejects the request', async () => {
  const { states } = await follow([new Response('{"code":"SVC141","message":"not published"}', { status: 400 })]);
  expect(states.at(-1)).toMatchObject({ kind: 'ended', error: { code: 'SVC141', message: 'not published' } });
});

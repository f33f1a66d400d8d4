import { expect, test } from 'vitest';
import { BodyMemory } from '../../../src/postgres/stream/body-memory.ts';
import { StreamedBody } from '../../../src/postgres/stream/streamed-body.ts';

const MB = 1024 * 1024;

/** A body whose source and sink record their calls. */
function open(
  byteLength: number | undefined,
  begin: readonly string[] = [],
  memory: BodyMemory = new BodyMemory(),
  expectedLength: number | undefined = byteLength,
): { body: StreamedBody; seen: string[] } {
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(what);
  const source = { pause: note('pause'), resume: note('resume'), cancel: note('cancel') };
  return {
    body: new StreamedBody(
      source,
      { pieces: begin.map((text) => Buffer.from(text)), byteLength, expectedLength },
      memory.reserve(),
    ),
    seen,
  };
}

function read(body: StreamedBody, seen: string[], wants: (text: string) => boolean = () => true): void {
  body.read({
    take: (piece) => {
      const text = Buffer.from(piece).toString();
      seen.push(text);
      return wants(text);
    },
    end: () => void seen.push('end'),
    fail: () => void seen.push('fail'),
  });
}

const FAILURE = { kind: 'connectionLost', details: 'gone' } as const;

test('nothing is requested before somebody reads, and no more than requested is sent', () => {
  const { body, seen } = open(undefined, ['a', 'b']);
  read(body, seen, (text) => text !== 'b');
  body.add(Buffer.from('c'));
  body.resume();
  body.finish(undefined);
  expect(seen).toEqual(['pause', 'a', 'b', 'c', 'resume', 'end']);
});

test('the last piece of a body of known length waits for the end of the transaction', () => {
  const { body, seen } = open(2, ['a']);
  read(body, seen);
  body.add(Buffer.from('b'));
  expect(seen).toEqual(['pause', 'resume', 'a']);
  body.finish(undefined);
  expect(seen).toEqual(['pause', 'resume', 'a', 'b', 'end']);
});

test('the last piece is not sent if the transaction fails', () => {
  const { body, seen } = open(2, ['a']);
  read(body, seen);
  body.add(Buffer.from('b'));
  body.finish(FAILURE);
  expect([seen, body.failure]).toEqual([['pause', 'resume', 'a', 'fail'], FAILURE]);
});

test('pieces after a cancellation are discarded, and the statement is cancelled once', () => {
  const { body, seen } = open(undefined, ['a']);
  read(body, seen, () => false);
  body.cancel();
  body.cancel();
  body.add(Buffer.from('b'));
  body.finish(FAILURE);
  expect([seen, body.failure]).toEqual([['pause', 'a', 'resume', 'cancel', 'fail'], undefined]);
});

test('the connection is free at the end, even if pieces are still buffered', () => {
  const { body, seen } = open(undefined, ['a', 'b']);
  read(body, seen, () => false);
  body.finish(undefined);
  body.resume();
  body.resume();
  body.cancel();
  expect(seen).toEqual(['pause', 'a', 'resume', 'b', 'end']);
});

test('a body of known length is read ahead of a slow client and keeps its memory until it has been read', () => {
  const memory = new BodyMemory();
  const isFull = (): boolean => memory.free < 20 * MB;
  const { body, seen } = open(20 * MB, ['a'], memory);
  read(body, seen, () => false);
  body.add(Buffer.from('b'));
  expect([seen, isFull()]).toEqual([['pause', 'resume', 'a'], true]);
  const other = open(20 * MB, ['c', 'd'], memory);
  read(other.body, other.seen, () => false);
  expect(other.seen).toEqual(['pause', 'c']);
  body.finish(undefined);
  body.resume();
  expect([seen, isFull()]).toEqual([['pause', 'resume', 'a', 'b'], true]);
  body.resume();
  expect([seen.at(-1), isFull()]).toEqual(['end', false]);
});

test('cancelling frees the memory, before the end and after it', () => {
  for (const hasEnded of [false, true]) {
    const memory = new BodyMemory();
    const { body, seen } = open(24 * MB, ['a', 'b'], memory);
    read(body, seen, () => false);
    if (hasEnded) body.finish(undefined);
    expect(memory.free).toBe(0);
    body.cancel();
    body.cancel();
    expect(memory.free).toBe(24 * MB);
  }
});

test('as much as expected is read ahead of a slow client, and no more', () => {
  const memory = new BodyMemory();
  const { body, seen } = open(undefined, ['ab'], memory, 4);
  read(body, seen, () => false);
  body.add(Buffer.from('cdef'));
  expect(seen).toEqual(['pause', 'ab', 'resume']);
  body.add(Buffer.from('g'));
  expect(seen).toEqual(['pause', 'ab', 'resume', 'pause']);
  body.finish(undefined);
  body.resume();
  body.resume();
  body.resume();
  expect(seen).toEqual(['pause', 'ab', 'resume', 'pause', 'resume', 'cdef', 'g', 'end']);
  expect(memory.free).toBe(24 * MB);
});

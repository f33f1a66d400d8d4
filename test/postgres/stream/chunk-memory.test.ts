// Chunks are reused by other responses, but only when they are no longer in use.
import { expect, test } from 'vitest';
import { ChunkMemory } from '../../../src/postgres/stream/chunk-memory.ts';

/** A chunk of full size; the first chunk of a response is smaller and is not reused. */
function renewFull(memory: ChunkMemory): Buffer {
  const first = memory.renew();
  memory.retain(first);
  return memory.renew();
}

test('a chunk is reused when all of its pieces have been released, each of them once', () => {
  const memory = new ChunkMemory();
  const chunk = renewFull(memory);
  const [one, two] = [chunk.subarray(0, 10), chunk.subarray(10, 20)];
  memory.retain(one);
  memory.retain(two);
  memory.renew();
  memory.release(one);
  memory.release(one);
  memory.release(chunk.subarray(10, 20));
  expect(renewFull(new ChunkMemory()).buffer).not.toBe(chunk.buffer);
  memory.release(two);
  expect(renewFull(new ChunkMemory()).buffer).toBe(chunk.buffer);
});

test('a chunk in use is not reused', () => {
  const memory = new ChunkMemory();
  const chunk = renewFull(memory);
  memory.retain(chunk);
  memory.release(chunk);
  expect(renewFull(new ChunkMemory()).buffer).not.toBe(chunk.buffer);
  expect(memory.renew().buffer).toBe(chunk.buffer);
});

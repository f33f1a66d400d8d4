// Splits lines of any length into pieces, in memory that is reused once it is released.
import { expect, test } from 'vitest';
import { LineBuffer } from '../../../src/postgres/results/line-buffer.ts';

const SIZES = [0, 1, 300, 8191, 8192, 65_535, 65_536, 65_537, 200_000];

/** Letters that make lines distinguishable. */
function makeLine(index: number): Buffer {
  return Buffer.alloc(SIZES[index % SIZES.length] ?? 0, 0x61 + (index % 26));
}

function joinLines(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => [makeLine(index), Buffer.from('\n')]).flat());
}

test('lines of all lengths are preserved, even if their source is overwritten', () => {
  const pieces: Uint8Array[] = [];
  const lines = new LineBuffer((piece) => pieces.push(piece));
  const source = Buffer.alloc(200_010);
  for (let index = 0; index < 60; index += 1) {
    const length = makeLine(index).copy(source, 5);
    lines.add(source, 5, 5 + length);
    source.fill('!');
    if (index % 7 === 0) lines.flush();
  }
  lines.flush();
  expect(Buffer.concat(pieces).equals(joinLines(60))).toBe(true);
});

test('memory is reused when all its pieces have been released, and not before', () => {
  const taken: Buffer[] = [];
  const kept: Uint8Array[] = [];
  const chunks = new Set<ArrayBufferLike>();
  const lines = new LineBuffer((piece) => {
    chunks.add(piece.buffer);
    kept.push(piece);
  });
  for (let index = 0; index < 200; index += 1) {
    const line = makeLine(index);
    lines.add(line, 0, line.length);
    lines.flush();
    while (kept.length > 3) {
      const piece = kept.shift() ?? new Uint8Array();
      taken.push(Buffer.from(piece));
      lines.release(piece);
    }
  }
  expect(Buffer.concat([...taken, ...kept]).equals(joinLines(200))).toBe(true);
  expect(chunks.size).toBeLessThan(12);
});

test('a piece that was never passed on cannot be released', () => {
  const pieces: Uint8Array[] = [];
  const lines = new LineBuffer((piece) => pieces.push(piece));
  lines.add(Buffer.from('one'), 0, 3);
  lines.flush();
  lines.release(Buffer.alloc(65_536, '!'));
  lines.add(Buffer.from('two'), 0, 3);
  lines.flush();
  expect(Buffer.concat(pieces).toString()).toBe('one\ntwo\n');
});

// Renders a row as a line of CSV, in the format that PostgreSQL uses for composite values (`writing.md` §15.4).
import type { LineBuffer } from './line-buffer.ts';
import { NULL } from '../wire/read-message.ts';

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters that require quotes. */
const SPECIAL = '"\\(), \t\n\v\f\r';
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) => (SPECIAL.includes(String.fromCharCode(byte)) ? 1 : 0));
/** Holds one line at a time; longer lines get their own buffer. */
const SCRATCH_BUFFER: Buffer = Buffer.allocUnsafeSlow(65_536);

/**
 * Appends the line without its line feed.
 *
 * @param bounds of each column in `source`
 * @param first index of the first column to include
 */
export function addCsvLine(lines: LineBuffer, source: Buffer, bounds: readonly number[], first: number): void {
  const size = (bounds.at(-1) ?? 0) - (bounds[2 * first - 1] ?? 0);
  // Upper bound: every byte doubled, plus two quotes and a comma per column.
  const most = 2 * size + 3 * (bounds.length / 2);
  const target = most <= SCRATCH_BUFFER.length ? SCRATCH_BUFFER : Buffer.allocUnsafeSlow(most);
  let at = 0;
  for (let index = 2 * first; index < bounds.length; index += 2) {
    if (index > 2 * first) target[at++] = COMMA;
    const from = bounds[index] ?? NULL;
    if (from !== NULL) at = writeValue(target, at, source, from, bounds[index + 1] ?? from);
  }
  lines.addPart(target, 0, at);
}

/** @returns the end of the value in the target */
function writeValue(target: Buffer, start: number, source: Buffer, from: number, end: number): number {
  if (from === end) return writeQuoted(target, start, source, from, end);
  let at = start;
  for (let index = from; index < end; index += 1) {
    const byte = source[index] ?? 0;
    if (IS_SPECIAL[byte] === 1) return writeQuoted(target, start, source, from, end);
    target[at++] = byte;
  }
  return at;
}

function writeQuoted(target: Buffer, start: number, source: Buffer, from: number, end: number): number {
  let at = start;
  target[at++] = QUOTE;
  for (let index = from; index < end; index += 1) {
    const byte = source[index] ?? 0;
    if (byte === QUOTE || byte === BACKSLASH) target[at++] = byte;
    target[at++] = byte;
  }
  target[at++] = QUOTE;
  return at;
}

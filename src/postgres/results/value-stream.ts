// Streams a single long row: the columns before the body form the head of the outcome, the body follows in pieces.
import type { DbOutcome } from '../../contract/transaction.ts';
import { readOutcomeRows } from './read-outcome.ts';
import type { StreamedBody } from '../stream/streamed-body.ts';
import type { ValueMemory } from '../stream/value-memory.ts';
import { RowParts } from '../wire/row-parts.ts';

export interface ValueStreamOptions {
  /** Encoding of every column. */
  readonly encoding: 'text' | 'binary';
  /** Size of the row in bytes. */
  readonly size: number;
  readonly memory: ValueMemory;
  /** Starts the response; returns undefined if streaming is no longer possible. */
  readonly open: (outcome: DbOutcome, byteLength: number) => StreamedBody | undefined;
  readonly onFault: () => void;
}

/** @returns a callback that takes the bytes of the row */
export function streamValue({ encoding, size, memory, open, onFault }: ValueStreamOptions): (piece: Buffer) => void {
  let body: StreamedBody | undefined;
  const parts = new RowParts(size, {
    onHead: (columns, length) => {
      const head = readOutcomeRows({ main: [[...columns, null]], plan: undefined }, { encoding, hasPlan: false });
      if (head.ok) body = open(head.value.outcome, length);
      if (body === undefined) return onFault();
      body.onRelease = (piece) => memory.release(piece);
    },
    onPiece: (piece) => {
      memory.retain(piece);
      body?.add(piece);
    },
    onEnd: () => undefined,
    onFault,
  });
  return (piece) => parts.add(piece);
}

// The one row of a long answer as it comes → its columns before the body make the head, the body goes on piece by piece.
import type { DbOutcome } from '../../contract/transaction.ts';
import { readOutcomeRows } from './read-outcome.ts';
import type { StreamedBody } from '../stream/streamed-body.ts';
import type { ValueMemory } from '../stream/value-memory.ts';
import { RowParts } from '../wire/row-parts.ts';

export interface ValueStreamOptions {
  /** Of every column. */
  readonly encoding: 'text' | 'binary';
  /** Bytes of the row. */
  readonly size: number;
  readonly memory: ValueMemory;
  /** Gives the answer out, which may no longer be wanted. */
  readonly open: (outcome: DbOutcome, byteLength: number) => StreamedBody | undefined;
  readonly onFault: () => void;
}

/** @returns what takes the bytes of the row */
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

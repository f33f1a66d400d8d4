// The one row of a long answer as it comes → its columns before the body make the head, the body goes on piece by piece.
import type { DbOutcome, MainStatement } from '../contract/transaction.ts';
import { readScriptResult } from './read-outcome.ts';
import type { StreamedBody } from './streamed-body.ts';
import type { ValueMemory } from './value-memory.ts';
import { RowParts } from './wire/row-parts.ts';

export interface ValueStreamOptions {
  readonly main: MainStatement;
  /** Bytes of the row. */
  readonly size: number;
  readonly memory: ValueMemory;
  /** Gives the answer out. */
  readonly open: (outcome: DbOutcome, byteLength: number) => StreamedBody;
  readonly onFault: () => void;
}

/** @returns what takes the bytes of the row */
export function streamValue({ main, size, memory, open, onFault }: ValueStreamOptions): (piece: Buffer) => void {
  let body: StreamedBody | undefined;
  const parts = new RowParts(size, {
    onHead: (columns, length) => {
      const head = readScriptResult(main, { main: [[...columns, null]], plan: undefined, position: undefined });
      if (head.ok && head.value.kind === 'outcome') body = open(head.value.outcome, length);
      else onFault();
      if (body !== undefined) body.onRelease = (piece) => memory.release(piece);
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

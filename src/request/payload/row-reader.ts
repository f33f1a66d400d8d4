// A body that arrives → batches of rows, each of about 128 kB, whatever the length of the body. The next one is
// read while the one before is inserted; more than that is not asked for.
import { fail, ok, type Result } from '../../contract/result.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import type { ArrivingBody } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { BODY_CUT, bodyTooSlow, rowTooLong } from './payload-errors.ts';
import {
  type Framed,
  NOTHING_FRAMED,
  type RowBatch,
  type RowBatches,
  type RowForm,
  type RowFramer,
} from './row-batch.ts';

export interface RowLimits {
  /** Bytes that are held in memory; a row has to be there whole. */
  readonly maxBodySize: number;
  /** Seconds, for the words of an error. */
  readonly bodyTimeout: number;
}

export interface RowReading {
  readonly limits: RowLimits;
  /** Lets other work have its turn. */
  readonly pause: () => Promise<unknown>;
}

/** Bytes of the body that make a batch (`docs/decisions/ingest.md`). */
const BATCH = 131_072;
/** Bytes in which a body usually comes. */
const CHUNK = 65_536;

/** Reads the first batch, so that the columns are known. */
export async function openRows(
  body: ArrivingBody,
  framer: RowFramer,
  { limits, pause }: RowReading,
): Promise<Result<RowBatches, ApiError>> {
  const reader = new RowReader(body, framer, { limits, pause });
  const problem = await reader.open();
  return problem === undefined ? ok(reader) : fail(problem);
}

/** A body that is there whole. It comes in chunks like any other, since each of its batches is copied. */
export function arriveAtOnce(bytes: Uint8Array): ArrivingBody {
  let taken = 0;
  return {
    next: () => {
      const chunk = bytes.subarray(taken, taken + CHUNK);
      taken += chunk.length;
      return Promise.resolve(chunk.length === 0 ? { kind: 'end' } : { kind: 'bytes', bytes: chunk });
    },
  };
}

class RowReader implements RowBatches {
  first: RowBatch = NOTHING_FRAMED.batch;
  readonly #body: ArrivingBody;
  readonly #framer: RowFramer;
  readonly #limits: RowLimits;
  readonly #pause: () => Promise<unknown>;
  #buffer: Uint8Array = new Uint8Array();
  /** Bytes of the buffer that are in use. */
  #size = 0;
  /** Of batches that have been released. */
  readonly #free: Uint8Array[] = [];
  #isEnded = false;

  constructor(body: ArrivingBody, framer: RowFramer, { limits, pause }: RowReading) {
    this.#body = body;
    this.#framer = framer;
    this.#limits = limits;
    this.#pause = pause;
  }

  get isTabular(): boolean {
    return this.#framer.isTabular;
  }

  get isComplete(): boolean {
    return this.#isEnded;
  }

  async open(): Promise<ApiError | undefined> {
    const framed = await this.#read('objects');
    if (!framed.ok) return framed.error;
    this.first = framed.value.batch;
    return undefined;
  }

  async next(form: RowForm): Promise<Result<RowBatch | undefined, ApiError>> {
    if (this.#isEnded && this.#size === 0) return ok(undefined);
    const framed = await this.#read(form);
    if (!framed.ok) return framed;
    return ok(framed.value.batch.count === 0 ? undefined : framed.value.batch);
  }

  /** At least one row, unless the body ends before. */
  async #read(form: RowForm): Promise<Result<Framed, ApiError>> {
    for (let target = BATCH; ; target = Math.max(target, 2 * this.#size)) {
      const problem = await this.#fill(target);
      if (problem !== undefined) return fail(problem);
      const buffer = this.#buffer;
      const bytes = buffer.subarray(0, this.#size);
      const framed = await runSlicesWithPauses(this.#framer.frame(bytes, this.#isEnded, form), this.#pause);
      if (!framed.ok) return framed;
      this.#keepRest(bytes.subarray(framed.value.consumed), framed.value.consumed);
      if (framed.value.batch.count > 0 || this.#isEnded) return ok(this.#reuse(framed.value, buffer));
      if (this.#size > this.#limits.maxBodySize) return fail(rowTooLong(this.#limits.maxBodySize));
    }
  }

  async #fill(target: number): Promise<ApiError | undefined> {
    while (!this.#isEnded && this.#size < target) {
      const step = await this.#body.next();
      if (step.kind === 'cut') return BODY_CUT;
      if (step.kind === 'tooSlow') return bodyTooSlow(this.#limits.bodyTimeout);
      if (step.kind === 'end') this.#isEnded = true;
      else this.#add(step.bytes, target);
    }
    return undefined;
  }

  #add(chunk: Uint8Array, target: number): void {
    const size = this.#size + chunk.length;
    if (size > this.#buffer.length) {
      const buffer = this.#allocate(size, target);
      buffer.set(this.#buffer.subarray(0, this.#size));
      this.#buffer = buffer;
    }
    this.#buffer.set(chunk, this.#size);
    this.#size = size;
  }

  /** Much memory that lives for a moment keeps the garbage collector busy, and others waiting. */
  #allocate(size: number, target: number): Uint8Array {
    // What is longer than a chunk will be a batch, usually.
    if (size <= CHUNK) return new Uint8Array(size);
    const free = this.#free.pop();
    return free !== undefined && free.length >= size ? free : new Uint8Array(Math.max(size, target + CHUNK));
  }

  /** @param buffer where the batch is */
  #reuse(framed: Framed, buffer: Uint8Array): Framed {
    const { batch } = framed;
    const release = (): void => {
      batch.release?.();
      if (buffer.length <= BATCH + 2 * CHUNK) this.#free.push(buffer);
    };
    return { ...framed, batch: { ...batch, release } };
  }

  /** The bytes of a batch stay where they are: what has come behind them moves. */
  #keepRest(rest: Uint8Array, consumed: number): void {
    if (consumed === 0) return;
    this.#buffer = rest.slice();
    this.#size = rest.length;
  }
}

// Reads an arriving body as batches of rows of about 128 kB each, whatever the length of the body. It reads the next
// batch while the previous one is inserted, and requests no more than that.
import { fail, ok, type Result } from '../../contract/result.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import type { ArrivingBody } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { BODY_CUT, bodyTooSlow, rowTooLong } from '../../request/payload/payload-errors.ts';
import type { RowBatch, RowBatches, RowForm } from '../../request/payload/row-batch.ts';
import { type Framed, NOTHING_FRAMED, type RowFramer } from './row-framer.ts';

export interface RowLimits {
  /** Maximum bytes held in memory; each row must fit. */
  readonly maxBodySize: number;
  /** Seconds, for the error message. */
  readonly bodyTimeout: number;
}

export interface RowReading {
  readonly limits: RowLimits;
  /** Lets other work run. */
  readonly pause: () => Promise<unknown>;
}

/** Bytes of the body per batch (`docs/decisions/ingest.md`). */
const BATCH_BYTES = 131_072;
/** Usual size in bytes of a received chunk. */
const CHUNK_BYTES = 65_536;

/** Opens the body and reads the first batch, so that the columns are known. */
export async function openRows(
  body: ArrivingBody,
  framer: RowFramer,
  { limits, pause }: RowReading,
): Promise<Result<RowBatches, ApiError>> {
  const reader = new RowReader(body, framer, { limits, pause });
  const problem = await reader.open();
  return problem === undefined ? ok(reader) : fail(problem);
}

/** Presents a complete body as an arriving one, in chunks, because each batch is copied. */
export function toArrivingBody(bytes: Uint8Array): ArrivingBody {
  let taken = 0;
  return {
    next: () => {
      const chunk = bytes.subarray(taken, taken + CHUNK_BYTES);
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
  /** Bytes of the buffer in use. */
  #size = 0;
  /** Buffers of released batches. */
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

  /** Reads at least one row, unless the body ends first. */
  async #read(form: RowForm): Promise<Result<Framed, ApiError>> {
    for (let target = BATCH_BYTES; ; target = Math.max(target, 2 * this.#size)) {
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
      else {
        const size = this.#size + step.bytes.length;
        if (size > this.#buffer.length) {
          const buffer = this.#allocate(size, target);
          buffer.set(this.#buffer.subarray(0, this.#size));
          this.#buffer = buffer;
        }
        this.#buffer.set(step.bytes, this.#size);
        this.#size = size;
      }
    }
    return undefined;
  }

  /** Reuses buffers: large short-lived allocations would keep the garbage collector busy and delay other requests. */
  #allocate(size: number, target: number): Uint8Array {
    // A buffer larger than one chunk usually becomes a batch.
    if (size <= CHUNK_BYTES) return new Uint8Array(size);
    const free = this.#free.pop();
    return free !== undefined && free.length >= size ? free : new Uint8Array(Math.max(size, target + CHUNK_BYTES));
  }

  /** @param buffer the memory that contains the batch */
  #reuse(framed: Framed, buffer: Uint8Array): Framed {
    const { batch } = framed;
    const release = (): void => {
      batch.release?.();
      if (buffer.length <= BATCH_BYTES + 2 * CHUNK_BYTES) this.#free.push(buffer);
    };
    return { ...framed, batch: { ...batch, release } };
  }

  /** Keeps the bytes of the batch in place and moves the rest to a new buffer. */
  #keepRest(rest: Uint8Array, consumed: number): void {
    if (consumed === 0) return;
    this.#buffer = rest.slice();
    this.#size = rest.length;
  }
}

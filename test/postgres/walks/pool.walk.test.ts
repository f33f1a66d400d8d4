// Random walks over all events of sessions, transactions, streams and permits: every request gets one reply, and
// afterwards the pool is complete, every permit is free, and no memory is reserved.
import { afterAll, expect, test } from 'vitest';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { ok } from '../../../src/contract/result.ts';
import type { MainStatement } from '../../../src/contract/transaction.ts';
import { BATCH_TIMES } from '../../../src/extensions/shared-reads/batch-rules.ts';
import { Pool, type ScriptRunner } from '../../../src/postgres/pool/pool.ts';
import { ReadDispatcher } from '../../../src/extensions/shared-reads/read-dispatcher.ts';
import { COST_LIMITS, StatementCosts } from '../../../src/extensions/shared-reads/statement-costs.ts';
import type { RowBatches } from '../../../src/request/payload/row-batch.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { Random } from '../../support/generate/random.ts';
import { readScript, writeScript } from '../support/scripts.ts';
import { RandomBackend, type Shape } from './random-backend.ts';
import { type Ending, takeAnswer } from './random-client.ts';

const WALKS = Number(process.env['ROWHOUSE_WALKS'] ?? 60);
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
const MEMORY = 24 * 1024 * 1024;

const VALUE: Shape = { head: ['1', null, null, null], isOne: true };
const COUNTED: Shape = { head: ['200', null, null, null, null, null], isOne: false };
const FORMS: readonly (readonly [Delivery, Shape])[] = [
  [{ kind: 'value', encoding: 'text' }, VALUE],
  [{ kind: 'singleRow' }, { head: [], isOne: true }],
  [{ kind: 'singleRow' }, { head: [], isOne: false }],
  [{ kind: 'countedRows', format: 'array' }, COUNTED],
  [{ kind: 'countedRows', format: 'csv' }, COUNTED],
  [{ kind: 'ndjson' }, { head: [null, null, null], isOne: false }],
  [{ kind: 'explain' }, { head: [], isOne: false }],
];

const seen = new Map<Ending, number>();

afterAll(() => {
  console.log(
    `${WALKS} walks from seed ${SEED}: ${[...seen].map(([ending, count]) => `${ending} ${count}`).join(', ')}`,
  );
});

function statement(delivery: Delivery, shape: Shape): MainStatement {
  const text = `SELECT /*${JSON.stringify(shape)}*/`;
  if (delivery.kind !== 'singleRow') return { text, parameters: [], delivery };
  const general = `SELECT /*${JSON.stringify(VALUE)}*/ 1`;
  return { text, parameters: [], delivery, general: { text: general, delivery: { kind: 'value', encoding: 'text' } } };
}

function randomScript(random: Random): TransactionScript {
  const main = statement(...random.pick(FORMS));
  const kind = random.roll(6);
  if (kind < 3) return readScript(main);
  if (kind === 3) return readScript(main, { isolation: 'serializable', leftovers: random.pick(['none', 'all']) });
  const value = statement({ kind: 'value', encoding: 'text' }, VALUE);
  if (kind === 4)
    return writeScript(value, {
      verify: random.chance(0.5) ? () => undefined : () => ({ kind: 'schemaCacheMissing' }),
    });
  return writeScript(value, {
    arriving: { batches: randomBatches(random), parameter: 0, insertion: undefined, columnInsertion: undefined },
  });
}

function randomBatches(random: Random): RowBatches {
  const batch = { count: 1, objects: () => [Buffer.from('[]')], lineOf: () => 1 };
  let left = random.roll(6);
  return {
    first: batch,
    isTabular: false,
    get isComplete() {
      return left === 0;
    },
    next: async () => {
      if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
      if (random.chance(0.05)) throw new Error('the source throws');
      if (random.chance(0.05)) return { ok: false, error: { kind: 'schemaCacheMissing' } };
      left = Math.max(0, left - 1);
      return ok(left === 0 ? undefined : batch);
    },
  };
}

class RandomSignal {
  aborted = false;
  #listener: (() => void) | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  abort(): void {
    this.aborted = true;
    this.#listener?.();
  }
}

/** Lets reads share writes, as if all of them were known to be fast. */
function dispatch(pool: Pool): ReadDispatcher {
  const costs = new StatementCosts(COST_LIMITS);
  for (const [delivery, shape] of FORMS) costs.note(statement(delivery, shape).text, 0.1);
  return new ReadDispatcher({ pool, acquisitionTimeoutMs: 20_000, costs, times: BATCH_TIMES });
}

async function walk(runner: ScriptRunner, random: Random): Promise<void> {
  const requests = random.list(1, 8, async () => {
    const signal = new RandomSignal();
    if (random.chance(0.2))
      void new Promise((resolve) => setTimeout(resolve, random.roll(20))).then(() => signal.abort());
    const reply = await runner.runScript(randomScript(random), signal);
    const ending = await takeAnswer(reply, random);
    seen.set(ending, (seen.get(ending) ?? 0) + 1);
  });
  await Promise.all(requests);
}

test('after each walk the pool is complete and every permit is free', async () => {
  for (let index = 0; index < WALKS; index += 1) {
    const random = new Random(SEED * 10_000 + index);
    const backend = await RandomBackend.start(random);
    const maxConnections = random.pick([1, 2, 4]);
    const pool = new Pool({
      maxConnections,
      acquisitionTimeoutMs: 20_000,
      maxIdleTimeMs: 60_000,
      maxLifetimeMs: 60_000,
      connect: () => backend.connect(),
      onEvent: undefined,
    });
    await walk(random.chance(0.5) ? dispatch(pool) : pool, random);
    await expect
      .poll(() => ({ ...pool.streaming, walk: index, busy: pool.statistics.open - pool.statistics.available }), {
        interval: 5,
      })
      .toEqual({ freePermits: Math.floor(maxConnections / 2), freeMemory: MEMORY, walk: index, busy: 0 });
    backend.alwaysSucceeds = true;
    const replies = await Promise.all(
      Array.from({ length: maxConnections }, () =>
        pool.runScript(readScript(statement({ kind: 'value', encoding: 'text' }, VALUE))),
      ),
    );
    expect(replies.every(({ ok: isAnswered }) => isAnswered)).toBe(true);
    for (const reply of replies) await takeAnswer(reply, new Random(7));
    await pool.close();
    await backend.stop();
  }
});

// A dispatcher over a pool of real sessions, behind a proxy that counts writes, with a separate control session.
import { BATCH_TIMES } from '../../../src/extensions/shared-reads/batch-rules.ts';
import { connect } from '../../../src/postgres/session/open-session.ts';
import { Pool } from '../../../src/postgres/pool/pool.ts';
import { ReadDispatcher } from '../../../src/extensions/shared-reads/read-dispatcher.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { COST_LIMITS, StatementCosts } from '../../../src/extensions/shared-reads/statement-costs.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { connectOptions, openSession } from './connect-test.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

export interface DispatchOptions {
  readonly maxConnections?: number;
  readonly acquisitionTimeoutMs?: number;
  /** Whether stuck reads are sent again. Off by default, so that a busy machine does not affect the results. */
  readonly isHedging?: boolean;
}

export class Dispatch {
  readonly dispatcher: ReadDispatcher;
  readonly pool: Pool;
  readonly proxy: RecordingProxy;
  /** A session to the database outside the pool. */
  readonly control: Session;
  readonly #costs = new StatementCosts(COST_LIMITS);

  private constructor(uri: URL, parts: { proxy: RecordingProxy; control: Session; options: DispatchOptions }) {
    this.proxy = parts.proxy;
    this.control = parts.control;
    const { maxConnections = 4, acquisitionTimeoutMs = 10_000, isHedging = false } = parts.options;
    this.pool = new Pool({
      maxConnections,
      acquisitionTimeoutMs,
      maxIdleTimeMs: 60_000,
      maxLifetimeMs: 60_000,
      connect: () => connect(connectOptions(uri.href)),
      onEvent: undefined,
    });
    const times = isHedging ? BATCH_TIMES : { slow: 60_000, stuck: 60_000 };
    this.dispatcher = new ReadDispatcher({ pool: this.pool, acquisitionTimeoutMs, costs: this.#costs, times });
  }

  static async start(uri: string, options: DispatchOptions = {}): Promise<Dispatch> {
    const { hostname: host, port } = new URL(uri);
    const proxy = await startRecordingProxy({ host, port: Number(port) });
    const proxied = new URL(uri);
    proxied.port = String(proxy.port);
    return new Dispatch(proxied, { proxy, control: await openSession(uri), options });
  }

  /** Records costs, as if the scripts had run before. */
  learn(scripts: readonly TransactionScript[], milliseconds = 0.1): void {
    for (const { segments } of scripts) this.#costs.note(segments[0].main.text, milliseconds);
  }

  async stop(): Promise<void> {
    await this.pool.close();
    await this.control.close();
    await this.proxy.close();
  }
}

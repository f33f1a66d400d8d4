// A queueing model of the benchmark: clients in a closed loop, the load generator, workers, and database backends share
// the cores of one machine. No I/O; times are in microseconds.
import { maySend, MAX_READS } from '../../../src/extensions/shared-reads/batch-rules.ts';
import { Random } from '../../support/generate/random.ts';
import { Simulation } from './simulation.ts';
import { type TurnCosts, TurnProcess } from './turn-process.ts';

/**
 * Costs by kind of process. An item is a request or a response in the server, a response in the load generator, a
 * statement in the database.
 */
export interface Costs {
  readonly load: TurnCosts;
  readonly server: TurnCosts;
  readonly database: TurnCosts;
}

export interface Setup {
  readonly clients: number;
  readonly workers: number;
  /** Database connections, divided among the workers. */
  readonly pool: number;
  readonly cores: number;
}

/** Turns and CPU time per request. */
export interface Use {
  readonly turns: number;
  readonly time: number;
}

export interface Outcome {
  /** Requests per second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly use: Readonly<Record<keyof Costs, Use>>;
}

interface Client {
  readonly worker: Worker;
  sentAt: number;
}

type Message = { readonly kind: 'request' | 'answer'; readonly client: Client };

const SEED = 16;
const WARM_UP = 100_000;
const LENGTH = 1_000_000;

export function simulate(costs: Costs, setup: Setup): Outcome {
  return new ClosedLoop(costs, setup).run();
}

class ClosedLoop {
  readonly simulation: Simulation;
  readonly load: TurnProcess<Client>;
  readonly costs: Costs;
  readonly #workers: readonly Worker[];
  readonly #clients: readonly Client[];
  readonly #random = new Random(SEED);
  #latencies: number[] = [];

  constructor(costs: Costs, { clients, workers, pool, cores }: Setup) {
    this.costs = costs;
    this.simulation = new Simulation(cores);
    this.load = new TurnProcess(this.simulation, costs.load, this.vary, { onItem: (client) => this.#ask(client) });
    const shareOf = (index: number): number => Math.max(1, Math.ceil((pool - index) / workers));
    this.#workers = Array.from({ length: workers }, (_, index) => new Worker(this, shareOf(index)));
    this.#clients = Array.from({ length: clients }, (_, index) => ({
      worker: this.#workers[index % workers] as Worker,
      sentAt: 0,
    }));
  }

  run(): Outcome {
    for (const client of this.#clients) this.load.push(client);
    this.simulation.runUntil(WARM_UP);
    this.#latencies = [];
    const before = this.#readUse();
    this.simulation.runUntil(WARM_UP + LENGTH);
    const after = this.#readUse();
    const latencies = this.#latencies.sort((a, b) => a - b);
    const count = latencies.length;
    const use = (kind: keyof Costs): Use => ({
      turns: (after[kind].turns - before[kind].turns) / count,
      time: (after[kind].time - before[kind].time) / count,
    });
    return {
      rate: (count * 1_000_000) / LENGTH,
      p50: latencies[Math.floor(count * 0.5)] ?? NaN,
      p99: latencies[Math.floor(count * 0.99)] ?? NaN,
      use: { load: use('load'), server: use('server'), database: use('database') },
    };
  }

  /** Draws the duration of work from an Erlang distribution of shape 4, whose standard deviation is half its mean. */
  readonly vary = (mean: number): number => {
    let product = 1;
    for (let phase = 0; phase < 4; phase += 1) product *= (this.#random.roll(1_000_000) + 1) / 1_000_000;
    return (-Math.log(product) * mean) / 4;
  };

  #ask(client: Client): void {
    if (client.sentAt > 0) this.#latencies.push(this.simulation.now - client.sentAt);
    client.sentAt = this.simulation.now;
    client.worker.process.push({ kind: 'request', client });
  }

  #readUse(): Record<keyof Costs, Use> {
    const add = (processes: readonly Pick<TurnProcess<unknown>, 'turnCount' | 'time'>[]): Use => ({
      turns: processes.reduce((sum, { turnCount }) => sum + turnCount, 0),
      time: processes.reduce((sum, { time }) => sum + time, 0),
    });
    return {
      load: add([this.load]),
      server: add(this.#workers.map(({ process }) => process)),
      database: add(this.#workers.flatMap(({ backends }) => backends)),
    };
  }
}

/** Sends the requests of one turn to the database in few writes, like `src/extensions/shared-reads/read-dispatcher.ts`. */
class Worker {
  readonly process: TurnProcess<Message>;
  readonly backends: readonly TurnProcess<Client>[];
  readonly #idle: TurnProcess<Client>[];
  /** Unanswered statements by backend. */
  readonly #underWay: Map<TurnProcess<Client>, number> = new Map();
  #queue: Client[] = [];

  constructor(loop: ClosedLoop, connections: number) {
    const { simulation, costs, vary, load } = loop;
    this.process = new TurnProcess(simulation, costs.server, vary, {
      onItem: ({ kind, client }) => (kind === 'request' ? this.#queue.push(client) : load.push(client)),
      onTurnEnd: () => this.#flush(),
    });
    this.backends = Array.from({ length: connections }, () => {
      const backend: TurnProcess<Client> = new TurnProcess(simulation, costs.database, vary, {
        onItem: (client) => this.#answer(backend, client),
      });
      return backend;
    });
    this.#idle = [...this.backends];
  }

  #answer(backend: TurnProcess<Client>, client: Client): void {
    const left = (this.#underWay.get(backend) ?? 0) - 1;
    this.#underWay.set(backend, left);
    if (left === 0) {
      this.#underWay.delete(backend);
      this.#idle.push(backend);
    }
    this.process.push({ kind: 'answer', client });
  }

  #flush(): void {
    while (this.#queue.length > 0 && this.#maySend) {
      const backend = this.#idle.pop();
      if (backend === undefined) return;
      const batch = this.#queue.splice(0, MAX_READS);
      this.#underWay.set(backend, batch.length);
      for (const client of batch) backend.push(client);
    }
  }

  get #maySend(): boolean {
    const reads = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
    return maySend({ batches: this.#underWay.size, reads });
  }
}

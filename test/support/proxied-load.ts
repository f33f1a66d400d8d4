// Clients on kept-alive connections that write a row and ask which instance answered, in a loop until stopped.
import { Agent } from 'node:http';
import { post, type RequestParts, sendRequest } from './local-server.ts';
import { until } from './until.ts';

export interface Failure {
  readonly method: string;
  /** Status and body of the response, or the connection error. */
  readonly outcome: string;
  readonly sentAt: number;
}

export const CLIENTS = 8;

export class ProxiedLoad {
  readonly #port: number;
  readonly #clients: Promise<void>[] = [];
  readonly #answered = new Map<string, number>();
  #isStopped = false;
  #nextId = 1000;
  /** Ids of the rows whose insert succeeded. */
  readonly written: number[] = [];
  readonly failures: Failure[] = [];

  constructor(port: number) {
    this.#port = port;
    for (let index = 0; index < CLIENTS; index += 1) this.#clients.push(this.#run());
  }

  get readCount(): number {
    return [...this.#answered.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves once the instance has answered `count` more reads. */
  async answeredBy(instance: string, count: number): Promise<void> {
    const before = this.#answered.get(instance) ?? 0;
    await until(() => (this.#answered.get(instance) ?? 0) >= before + count, {
      why: () => `reads answered by ${instance}`,
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #run(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.#isStopped) {
      await this.#write(agent);
      await this.#read(agent);
    }
    agent.destroy();
  }

  async #write(agent: Agent): Promise<void> {
    const id = (this.#nextId += 1);
    const text = await this.#send(agent, '/berth', post({ id, name: 'N' }), 201);
    if (text !== undefined) this.written.push(id);
  }

  async #read(agent: Agent): Promise<void> {
    const text = await this.#send(agent, '/rpc/setting?name=app.settings.instance', {}, 200);
    if (text === undefined) return;
    const instance = JSON.parse(text) as string;
    this.#answered.set(instance, (this.#answered.get(instance) ?? 0) + 1);
  }

  /** @returns the body; undefined if the request failed, which is recorded in `failures` */
  async #send(agent: Agent, target: string, parts: RequestParts, expected: number): Promise<string | undefined> {
    const sentAt = performance.now();
    const place = { host: '127.0.0.1', port: this.#port, path: target, agent };
    const answer = await sendRequest(place, parts).catch((error: unknown) => ({ status: 0, text: String(error) }));
    if (answer.status === expected) return answer.text;
    const outcome = `${answer.status} ${answer.text}`;
    this.failures.push({ method: parts.method ?? 'GET', outcome, sentAt });
    return undefined;
  }
}

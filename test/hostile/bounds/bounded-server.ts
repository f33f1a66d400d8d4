// A built server with the probe inside, over tables for every reader. Measures the longest stretch of its thread and the
// memory that a request makes it hold.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SECRET, token } from '../../auth/sign-token.ts';
import { createHarbor, type Harbor } from '../../support/harbor.ts';
import { ask, type Question } from '../../support/http-client.ts';
import {
  findFreePort,
  type ServerOptions,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';

const PROBE = fileURLToPath(new URL('probe.js', import.meta.url));
const KEYS = 'keys';
/** Columns of the widest table; a body may name more. */
const COLUMNS = Array.from({ length: 500 }, (_, index) => `c${index} int`).join(', ');

/** PostgreSQL takes minutes for some bodies, which is not what is measured. */
const SCHEMA = ({ anon, user }: Harbor, more: (roles: string) => string): string => `
  alter role ${anon} set statement_timeout = '4s';
  create table api.item (id int primary key, name text, n int, doc jsonb, ${COLUMNS});
  create table api.part (id int primary key, item_id int references api.item, label text);
  create table api.hidden (id int primary key, item_id int references api.item);
  insert into api.item select n, 'item ' || n from generate_series(1, 1000) n;
  insert into api.part select n, n, 'part' from generate_series(1, 1000) n;
  create function api.same(doc json) returns json language sql immutable as 'select doc';
  create function api.add(a int, b int) returns int language sql immutable as 'select a + b';
  create function api.total(items int[]) returns bigint language sql immutable as 'select sum(i) from unnest(items) i';
  create function api.text_of(text) returns int language sql immutable as 'select length($1)';
  create function api.bytes_of(bytea) returns int language sql immutable as 'select length($1)';
  create function api.denied(doc json) returns json language sql immutable as 'select doc';
  create function api.denied_bytes(bytea) returns int language sql immutable as 'select length($1)';
  revoke execute on function api.denied, api.denied_bytes from public;
  grant select, insert, update, delete on api.item, api.part to ${anon}, ${user};
  ${renderIdempotencySetup(KEYS).join(';\n')};
  ${more(`${anon}, ${user}`)}
`;

export class BoundedServer {
  readonly #harbor: Harbor;
  readonly #server: ServerProcess;
  readonly #probePort: number;

  private constructor(harbor: Harbor, server: ServerProcess, probePort: number) {
    this.#harbor = harbor;
    this.#server = server;
    this.#probePort = probePort;
  }

  /** @param more returns further SQL for the schema */
  static async open(options: ServerOptions = {}, more: (roles: string) => string = () => ''): Promise<BoundedServer> {
    const harbor = await createHarbor();
    await harbor.sql(SCHEMA(harbor, more));
    const probePort = await findFreePort();
    const probe = pathToFileURL(PROBE);
    probe.searchParams.set('port', String(probePort));
    const server = await startServerProcess(
      {
        'db-uri': harbor.uri,
        'db-schemas': 'api',
        'db-anon-role': harbor.anon,
        'db-pool': 4,
        'db-tx-end': 'commit-allow-override',
        'db-idempotency-schema': KEYS,
        'jwt-secret': SECRET,
        'mcp-path': '/mcp',
        'mcp-writes': true,
        'log-level': 'error',
        'server-workers': 1,
        ...options,
      },
      { nodeArguments: ['--expose-gc', '--import', probe.href] },
    );
    return new BoundedServer(harbor, server, probePort);
  }

  get bearer(): string {
    return `Bearer ${token({ role: this.#harbor.user, sub: 'someone' })}`;
  }

  /** Returns the CPU time of the longest stretch, in milliseconds. */
  async measureStretch(work: () => Promise<unknown>): Promise<number> {
    await this.#order('/time');
    await work();
    return (await this.#order('/end')).longest;
  }

  /** Returns the bytes in use at the peak, in addition to those before. */
  async measureMemory(work: () => Promise<unknown>): Promise<number> {
    await this.#order('/memory');
    await work();
    return (await this.#order('/end')).grown;
  }

  /**
   * Returns the status of the response; `cancelled` after a statement timeout, and `closed` if the connection ended without
   * a response: a server that closes it before it has read everything may lose its response.
   */
  async ask(question: Question): Promise<string> {
    try {
      const { status, body } = await ask(this.#server.port, question);
      if (body.includes('"57014"')) return 'cancelled';
      return status < 500 ? String(status) : `${status} ${body.slice(0, 500)}`;
    } catch {
      return 'closed';
    }
  }

  async #order(url: string): Promise<{ longest: number; grown: number }> {
    return JSON.parse((await ask(this.#probePort, { method: 'GET', url, headers: {} })).body) as {
      longest: number;
      grown: number;
    };
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.#harbor.drop();
  }
}

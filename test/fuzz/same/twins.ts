// Two servers, each with a copy of the same database, and the comparison of their answers to the same requests.
import { fileURLToPath } from 'node:url';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { buildSchemaCache } from '../../../src/catalog/decode.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { loginUri } from '../../conformance/serve.ts';
import { createDatabase, loadFixture, runSql, type TestDatabase } from '../../support/database.ts';
import { randomRequest } from '../../support/generate/random-request.ts';
import { WriteMaker } from '../../support/generate/random-write.ts';
import { Random } from '../../support/generate/random.ts';
import { modelSchema } from '../../support/generate/schema-model.ts';
import { loadRows } from '../../support/load-cache.ts';
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts';
import { readTables } from '../read-tables.ts';
import { findDifferences, mask, showDifference } from './differences.ts';
import { INTENDED } from './intended.ts';
import type { Lane } from './lanes.ts';
import { Pipeline, type RawAnswer } from './pipeline.ts';
import { type Exchange, ExchangeMaker, Memory } from './random-exchange.ts';

export interface Comparison {
  readonly lane: Lane;
  /** Entry point of the build to compare with. */
  readonly base: string;
  readonly seed: number;
  readonly count: number;
  readonly onProgress: (soFar: Report) => void;
}

export interface Report {
  readonly sent: number;
  /** Requests by method and status. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly intended: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

interface Side {
  readonly database: TestDatabase;
  readonly server: ServerProcess;
  readonly pipeline: Pipeline;
  readonly memory: Memory;
}

/** Stops early: what follows a difference in stored rows differs, too. */
const MAX_PROBLEMS = 30;
/** Groups between two comparisons of the tables. */
const TABLES_EVERY = 100;

export async function compareTwins(comparison: Comparison): Promise<Report> {
  const template = await prepareDatabase(comparison.lane);
  const sides: Side[] = [];
  try {
    const makeGroup = await chooseMaker(comparison.lane, template);
    for (const main of [comparison.base, undefined]) sides.push(await startSide(comparison.lane, template, main));
    const [base, own] = sides;
    if (base === undefined || own === undefined) throw new Error('a twin is missing');
    return await new Run(base, own, makeGroup).compare(comparison);
  } finally {
    for (const side of sides) await stopSide(side);
    await template.drop();
  }
}

async function prepareDatabase({ fixture, options }: Lane): Promise<TestDatabase> {
  const database = await createDatabase();
  await loadFixture(database.uri, fileURLToPath(new URL(`../../conformance/cases/${fixture}.sql`, import.meta.url)));
  const schema = options['db-idempotency-schema'];
  if (typeof schema === 'string') await runSql(database.uri, renderIdempotencySetup(schema).join('\n'));
  await runSql(database.uri, 'analyze');
  return database;
}

async function chooseMaker({ fixture, options }: Lane, { uri }: TestDatabase): Promise<ExchangeMaker> {
  const cache = buildSchemaCache(await loadRows(uri, { schemas: ['api'], extraSearchPath: ['public'] }));
  const schema = modelSchema(cache, 'api');
  const writes = new WriteMaker(cache);
  const make = (random: Random) => (fixture === 'reading' ? randomRequest(random, schema) : writes.make(random));
  return new ExchangeMaker(make, schema, options['dialect']);
}

async function startSide({ options }: Lane, template: TestDatabase, main: string | undefined): Promise<Side> {
  const database = await createDatabase({ template: template.name });
  const server = await startServerProcess({ ...options, 'db-uri': loginUri(database.uri) }, { main });
  return { database, server, pipeline: new Pipeline(server.port), memory: new Memory() };
}

async function stopSide({ database, server, pipeline }: Side): Promise<void> {
  pipeline.close();
  await server.stop();
  await database.drop();
}

class Run {
  readonly #base: Side;
  readonly #own: Side;
  readonly #maker: ExchangeMaker;
  readonly #kinds = new Map<string, number>();
  readonly #intended = new Map<string, number>();
  readonly #problems: string[] = [];

  constructor(base: Side, own: Side, maker: ExchangeMaker) {
    this.#base = base;
    this.#own = own;
    this.#maker = maker;
  }

  async compare({ seed, count, onProgress }: Comparison): Promise<Report> {
    let sent = 0;
    for (let group = 0; sent < count && this.#problems.length < MAX_PROBLEMS; group += 1) {
      const exchanges = this.#maker.makeGroup(new Random(seed + group));
      await this.#exchange(seed + group, exchanges);
      sent += exchanges.length;
      if (group % TABLES_EVERY !== 0) continue;
      await this.#compareTables(seed + group);
      onProgress(this.#report(sent));
    }
    await this.#compareTables(seed);
    return this.#report(sent);
  }

  #report(sent: number): Report {
    return { sent, kinds: this.#kinds, intended: this.#intended, problems: this.#problems };
  }

  async #exchange(seed: number, exchanges: readonly Exchange[]): Promise<void> {
    const [before, after] = await Promise.all(
      [this.#base, this.#own].map(({ pipeline, memory }) =>
        pipeline.send(exchanges.map((each) => memory.render(each))),
      ),
    );
    for (const [index, exchange] of exchanges.entries()) {
      const [base, own] = [before?.[index], after?.[index]];
      this.#base.memory.keep(base);
      this.#own.memory.keep(own);
      this.#check(`${seed}.${index}`, exchange, [base, own]);
    }
  }

  #check(name: string, exchange: Exchange, [base, own]: readonly [RawAnswer | undefined, RawAnswer | undefined]): void {
    add(this.#kinds, `${exchange.method} ${base?.statusLine.slice(9, 12) ?? 'closed'}`);
    const difference = findDifferences(base, own).join('\n');
    if (difference === '') return;
    const request = describe(exchange);
    const intended = INTENDED.find((each) => each.difference.test(difference) && (each.request?.test(request) ?? true));
    if (intended === undefined) this.#problems.push(`${name}: ${request}\n${difference}`);
    else add(this.#intended, intended.reason);
  }

  async #compareTables(seed: number): Promise<void> {
    const [before, after] = await Promise.all([this.#base, this.#own].map(({ database }) => dump(database)));
    this.#problems.push(...showDifference(`tables at ${seed}`, before ?? '', after ?? ''));
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function describe({ method, url, headers, body }: Exchange): string {
  const shown = body === undefined ? '' : ` ${Buffer.from(body).toString().slice(0, 400)}`;
  return `${method} ${url} ${JSON.stringify(headers)}${shown}`;
}

async function dump({ uri }: TestDatabase): Promise<string> {
  const query = (text: string) => withConnection(uri, async (client) => (await client.query(text)).rows);
  return mask((await readTables({ query })).map((row) => JSON.stringify(row)).join('\n'));
}

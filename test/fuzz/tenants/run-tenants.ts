// Runs tenants against one server at the same time, each on its own connection, and checks each response with the model
// of its rows. Some reads are also sent to a second server, which has no cached plans or prepared statements.
import { DIALECTS, type DialectName } from '../../../src/contract/dialect.ts';
import { readProcessTime, totalTime } from '../../bench/servers/cpu-time.ts';
import { startServerProcess, type ServerOptions, type ServerProcess } from '../../support/server-process.ts';
import { Random } from '../../support/generate/random.ts';
import type { Answer } from '../../support/http-client.ts';
import { compareTables, loadTenants } from './load-tenants.ts';
import { OTHERS } from './other-steps.ts';
import { READS } from './read-steps.ts';
import { Shapes } from './shapes.ts';
import { chooseMaker, type Step } from './step.ts';
import { LOGIN, ROLES, SCHEMAS } from './tenant-schema.ts';
import { findForeign, SECRET, Tenant } from './tenant.ts';
import { TenantReport } from './tenant-report.ts';
import { Wire } from '../../support/wire.ts';
import { WRITES } from './write-steps.ts';

export interface TenantRun {
  /** Superuser connection to a separate database. */
  readonly databaseUri: string;
  readonly dialect: DialectName;
  readonly requests: number;
  readonly seed: number;
  /** Called from time to time with the report so far. */
  readonly onProgress?: (report: TenantReport) => void;
}

/** Several tenants per session of the pool, so that every session serves all of them. */
const TENANTS = 8;
const POOL = 2;
const MAKERS = [...READS, ...WRITES, ...OTHERS];
/** Share of the reads that are also sent to the second server. */
const COLD_SHARE = 0.02;
/** A header of this size prevents the request's plan from being cached. */
const COLD_PREFERENCE = `cold=${'x'.repeat(4200)}`;
/** Functions that set the header `X-Note`. */
const MAY_NOTE = /^\/rpc\/(?:respond|leave)$/u;
const PROGRESS_STEP = 50_000;

export async function runTenants(run: TenantRun): Promise<TenantReport> {
  const tenants = Array.from({ length: TENANTS }, (_, number) => new Tenant(number, new Random(run.seed + number)));
  await loadTenants(run.databaseUri, tenants);
  const [warm, cold] = await Promise.all([startServer(run, {}), startServer(run, { 'db-prepared-statements': false })]);
  const report = new TenantReport(run.seed);
  const shapes = new Shapes(run.seed);
  try {
    const testbed = { ...run, warm, cold, shapes, report };
    await Promise.all(tenants.map((tenant, number) => new TenantClient(testbed, tenant, number).work()));
    report.serverTime = totalTime(readProcessTime(warm.pid ?? 0));
  } finally {
    await Promise.all([warm.stop(), cold.stop()]);
  }
  for (const problem of await compareTables(run.databaseUri, tenants)) report.fail(problem);
  return report;
}

function startServer({ databaseUri, dialect }: TenantRun, options: ServerOptions): Promise<ServerProcess> {
  return startServerProcess({
    dialect,
    'db-uri': Object.assign(new URL(databaseUri), { username: LOGIN, password: '' }).href,
    'db-schemas': SCHEMAS,
    'db-anon-role': ROLES.anon,
    'db-aggregates-enabled': true,
    'db-config': false,
    'db-pool': POOL,
    'db-tx-end': 'commit-allow-override',
    'url-use-legacy-target-names': false,
    'jwt-secret': SECRET,
    'log-level': 'crit',
    ...options,
  });
}

interface Testbed extends TenantRun {
  readonly warm: ServerProcess;
  readonly cold: ServerProcess;
  readonly shapes: Shapes;
  readonly report: TenantReport;
}

/** The client of one tenant. No other client touches its rows, so the correct response is known in advance. */
class TenantClient {
  readonly #testbed: Testbed;
  readonly #tenant: Tenant;
  readonly #number: number;
  readonly #warm: Wire;
  readonly #cold: Wire;

  constructor(testbed: Testbed, tenant: Tenant, number: number) {
    this.#testbed = testbed;
    this.#tenant = tenant;
    this.#number = number;
    this.#warm = new Wire(testbed.warm.port);
    this.#cold = new Wire(testbed.cold.port);
  }

  async work(): Promise<void> {
    const { requests, seed, report, onProgress } = this.#testbed;
    for (let index = this.#number; index < requests && !report.isHopeless; index += TENANTS) {
      const random = new Random(seed + index);
      const scene = {
        random,
        tenant: this.#tenant,
        shapes: this.#testbed.shapes,
        dialect: DIALECTS[this.#testbed.dialect],
      };
      await this.#take(chooseMaker(random, MAKERS)(scene), index, random);
      if (report.count % PROGRESS_STEP === 0) onProgress?.(report);
    }
    this.#warm.close();
    this.#cold.close();
  }

  async #take(step: Step, index: number, random: Random): Promise<void> {
    const { report } = this.#testbed;
    const fail = (problem: string): void => {
      const { method, url, headers, body } = step.question;
      const asked = `${method} ${url} ${JSON.stringify(headers)} ${String(body ?? '')}`;
      report.fail(`request ${index} of ${this.#tenant.name} (${step.kind}): ${asked}\n  ${problem}`);
    };
    if (step.abandoned !== undefined) {
      await this.#warm.abandon(step.question, step.abandoned);
      report.add(step.kind, undefined);
      return;
    }
    const answer = await this.#ask(this.#warm, step);
    if (typeof answer === 'string') return fail(answer);
    report.add(step.kind, answer.status);
    const problem = this.#check(step, answer);
    if (problem !== undefined) return fail(problem);
    step.settle?.();
    if (step.isRead !== true || !random.chance(COLD_SHARE)) return;
    const cold = await this.#ask(this.#cold, makeCold(step));
    report.coldCount += 1;
    const difference = typeof cold === 'string' ? cold : findDifference(answer, cold, step.check);
    if (difference !== undefined) fail(`otherwise without plans: ${difference}`);
  }

  async #ask(wire: Wire, { question }: Step): Promise<Answer | string> {
    return wire.ask(question).catch((error: unknown) => String(error));
  }

  #check(step: Step, answer: Answer): string | undefined {
    const foreign = findForeign(answer.body, this.#tenant) ?? findForeign(JSON.stringify(answer.headers), this.#tenant);
    if (foreign !== undefined) return `FOREIGN: ${foreign}`;
    if (answer.headers['x-note'] !== undefined && !MAY_NOTE.test(step.question.url)) return 'a stray header';
    try {
      return step.check(answer);
    } catch (error) {
      return `${answer.status} ${answer.body}: ${String(error)}`;
    }
  }
}

function makeCold(step: Step): Step {
  const { headers } = step.question;
  const preferences = [headers['Prefer'], COLD_PREFERENCE].filter((preference) => preference !== undefined);
  return { ...step, question: { ...step.question, headers: { ...headers, Prefer: preferences.join(', ') } } };
}

/** Accepts another order of rows if the model accepts both. */
function findDifference(warm: Answer, cold: Answer, check: Step['check']): string | undefined {
  if (describe(warm) === describe(cold)) return undefined;
  const hasSameRows = describe(withSortedRows(warm)) === describe(withSortedRows(cold));
  return hasSameRows && check(cold) === undefined ? undefined : `${describe(warm)}\n  ${describe(cold)}`;
}

function describe({ status, headers, body }: Answer): string {
  return JSON.stringify([status, { ...headers, date: undefined }, body]);
}

function withSortedRows(answer: Answer): Answer {
  if (answer.headers['content-type']?.startsWith('application/json') !== true) return answer;
  return { ...answer, body: JSON.stringify(JSON.parse(answer.body, sortArray)) };
}

function sortArray(_name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((element) => JSON.stringify(element)).sort();
}

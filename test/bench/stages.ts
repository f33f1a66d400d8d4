// Measures the pure stages of a request in microseconds, without socket or database.
import type { Result } from '../../src/contract/result.ts';
import { handleRequest } from '../../src/serve/handle-request.ts';
import { planRequest } from '../../src/plan/plan-request.ts';
import { buildSteps, type PlanState } from '../../src/postgres/execute/script-steps.ts';
import { OWN_TRANSACTION } from '../../src/postgres/execute/transaction-bounds.ts';
import { STATEMENT_LIMITS, StatementCache } from '../../src/postgres/session/statement-cache.ts';
import { encodeMessages } from '../../src/postgres/wire/encoder.ts';
import {
  planContextOf,
  requestSettingsOf,
  scriptContextOf,
  type RequestContext,
} from '../../src/serve/request-context.ts';
import { buildResponse } from '../../src/response/build-response.ts';
import { prepareRows, renderScript } from '../../src/sql/render-script.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { parseWhole } from '../support/request-stages.ts';
import type { BenchCase } from './bench-case.ts';
import { startBenchDatabase } from './servers/bench-database.ts';
import { loadContext, OUTCOME, toHttpRequest } from './capture-script.ts';
import { median, renderTable } from './report.ts';

const BATCH = 2000;
const WARM_UP_BATCHES = 5;
const COLUMNS = ['case, µs', 'parse', 'plan', 'render', 'encode', 'response', 'whole way'];

/** @returns a table with a row per case */
export async function measureStages(cases: readonly BenchCase[], rounds: number): Promise<string> {
  const database = await startBenchDatabase();
  const context = await loadContext(database.uri).finally(() => database.stop());
  const rows: (readonly string[])[] = [COLUMNS];
  for (const bench of cases) rows.push(await measureCase(bench, rounds, context));
  return renderTable(rows);
}

async function measureCase(bench: BenchCase, rounds: number, context: RequestContext): Promise<readonly string[]> {
  const request = toHttpRequest(bench, 1);
  const { cache } = context;
  if (cache === undefined) throw new Error('there is no schema cache');
  const parse = () => must(parseWhole(request, requestSettingsOf(context)));
  const parsed = parse();
  const plan = () => must(planRequest(parsed, planContextOf(context, cache)));
  const action = plan();
  if (action.kind === 'info' || action.kind === 'page' || action.kind === 'describe')
    throw new Error('the case must ask for rows');
  const identity = { role: 'bench', claimsText: '{"role":"bench"}', isAnonymous: true };
  const prepared = prepareRows(action, context);
  const render = () => renderScript(prepareRows(action, context), scriptContextOf(request, identity, context));
  const script = render();
  const state = prepare(script);
  const works = [
    parse,
    plan,
    render,
    () => encodeMessages([], buildSteps(script, state, OWN_TRANSACTION)),
    () => buildResponse(prepared, OUTCOME, context),
    () => handleRequest(request, context),
  ];
  const times: string[] = [];
  for (const work of works) times.push((await measureWork(work, rounds)).toFixed(2));
  return [bench.name, ...times];
}

async function measureWork(work: () => unknown, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let batch = 0; batch < WARM_UP_BATCHES + rounds * WARM_UP_BATCHES; batch += 1) {
    const start = performance.now();
    for (let count = 0; count < BATCH; count += 1) {
      const result = work();
      if (result instanceof Promise) await result;
    }
    if (batch >= WARM_UP_BATCHES) times.push(((performance.now() - start) * 1000) / BATCH);
  }
  return median(times);
}

/** Returns the state of a connection that has run the script before. */
function prepare(script: TransactionScript): PlanState {
  const statements = new StatementCache(STATEMENT_LIMITS);
  const state = { statements, isDiscardingPlans: false, planRole: script.role };
  for (const { preparing, name } of buildSteps(script, state, OWN_TRANSACTION)) {
    if (preparing !== undefined) statements.add(preparing.scope, preparing.text, name);
  }
  return state;
}

function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

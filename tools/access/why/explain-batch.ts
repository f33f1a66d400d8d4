// Explains the requests of a batch: the one that failed, after those before it have run again, or all of them.
import { batchSettingsOf } from '../../../src/extensions/batch/answer-batch.ts';
import { planPart } from '../../../src/extensions/batch/batch-part.ts';
import { BatchRun } from '../../../src/extensions/batch/batch-run.ts';
import type { BatchRequest } from '../../../src/extensions/batch/body/batch.ts';
import { type LocatedValues, locateValues } from '../../../src/extensions/batch/body/locate-values.ts';
import { parseBatch } from '../../../src/extensions/batch/body/parse-batch.ts';
import type { BatchContext } from '../../../src/extensions/batch/plan-batch.ts';
import type { Work } from '../../../src/serve/request-context.ts';
import { isJsonObject } from '../../../src/util/json-object.ts';
import { runSlicesWithPauses } from '../../../src/util/slices.ts';
import { readReport, type Report } from './failed-request.ts';
import type { PowerfulRuns } from './probe.ts';

interface Place {
  readonly runs: PowerfulRuns;
  /** @param part undefined if it cannot be planned */
  readonly explainPart: (part: Work | undefined, report: Report) => Promise<readonly string[]>;
}

/** Requests that are explained. */
const MAX_PARTS = 20;
const TRANSACTION: BatchContext['transaction'] = {
  access: 'read write',
  isolation: undefined,
  end: 'commit',
  reportsPosition: false,
  preferenceHeaders: [],
};

/** @param report of the response to the batch @returns undefined if no request of the batch was run */
export async function explainBatch(
  work: Work,
  report: Report,
  { runs, explainPart }: Place,
): Promise<readonly string[] | undefined> {
  const { status, body } = report;
  const { pause } = work.context;
  const parsed = await runSlicesWithPauses(parseBatch(work.request.body, batchSettingsOf(work.context)), pause);
  if (!parsed.ok) return undefined;
  const batch: BatchContext = { ...parsed.value, work, transaction: TRANSACTION };
  const { requests, pointers } = batch;
  const failed = status >= 400 && isJsonObject(body) ? body['request'] : undefined;
  if (status >= 400 && typeof failed !== 'number') return undefined;
  const first = typeof failed === 'number' ? failed : undefined;
  const answers = first === undefined ? body : await repeatUntil(first, batch, runs);
  const elements = Array.isArray(answers) ? answers.filter(isJsonObject) : [];
  const located = new Map<number, LocatedValues>();
  for (const [index, tree] of pointers) {
    const text = new TextEncoder().encode(JSON.stringify(elements[index]?.['body'] ?? null));
    located.set(index, await runSlicesWithPauses(locateValues(text, tree), pause));
  }
  const lines: string[] = [];
  for (const each of requests.slice(first ?? 0, first === undefined ? MAX_PARTS : first + 1)) {
    const count = each.index;
    const spent = { bodies: 0, responses: 0, statements: 0 };
    const part = await planPart({ count, located, spent }, { ...batch, requests: requests.slice(0, count + 1) });
    const { status: own, body: content } = elements[count] ?? {};
    const answer = first === undefined ? readReport(typeof own === 'number' ? own : 0, content) : report;
    const explained = await explainPart(part.requests[0]?.work, answer);
    lines.push(`${describePart(each)}:`, ...explained.map((line) => `  ${line}`));
  }
  if (first === undefined && requests.length > MAX_PARTS)
    lines.push(`Only the first ${MAX_PARTS} requests of the batch are explained.`);
  return lines;
}

function describePart({ index, id, method, target }: BatchRequest): string {
  const name = id === undefined ? '' : ` (${id})`;
  const path = target.map((part) => (typeof part === 'string' ? part : '…')).join('');
  return `Request ${index} of the batch${name}, ${method} ${path}`;
}

/** Runs the requests before one again, and leaves what they do. @returns their responses */
async function repeatUntil(count: number, batch: BatchContext, runs: PowerfulRuns): Promise<readonly unknown[]> {
  if (count === 0) return [];
  const run = new BatchRun({ ...batch, requests: batch.requests.slice(0, count) });
  const script = await run.start();
  if (script.ok) await runs.runScript(script.value);
  return run.elements.map(({ text }): unknown => JSON.parse(new TextDecoder().decode(text)));
}

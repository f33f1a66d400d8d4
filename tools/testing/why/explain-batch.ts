// Explains the requests of a batch: the one that failed, after those before it have run again, or all of them.
import { toHttpRequest } from '../../../src/request/part-list.ts';
import { isStream } from '../../../src/contract/body-stream.ts';
import type { HttpRequest } from '../../../src/contract/http.ts';
import { handleRequest } from '../../../src/serve/handle-request.ts';
import type { BatchRequest } from '../../../src/extensions/batch/body/batch.ts';
import { expandRequest, type Located } from '../../../src/extensions/batch/body/expand-request.ts';
import { type LocatedValues, locateValues } from '../../../src/extensions/batch/body/locate-values.ts';
import { parseBatch } from '../../../src/extensions/batch/body/parse-batch.ts';
import type { PointerTree } from '../../../src/extensions/batch/body/pointer-tree.ts';
import { CLOSE_BRACKET, skipWhitespace } from '../../../src/request/payload/json-scanner.ts';
import { scanAny, skipComma } from '../../../src/request/payload/json-text.ts';
import { batchSettingsOf } from '../../../src/extensions/batch/answer-batch.ts';
import type { RequestContext } from '../../../src/serve/request-context.ts';
import { isJsonObject } from '../../../src/util/json-object.ts';
import { runSlicesWithPauses, type Slices } from '../../../src/util/slices.ts';
import type { PowerfulRuns } from '../session/held-transaction.ts';

/** A request with its response: an element of the response to the batch, or the response to the batch, which failed. */
export interface BatchPart {
  readonly request: HttpRequest;
  readonly status: number;
  readonly body: unknown;
}

export type ExplainPart = (part: BatchPart) => Promise<readonly string[]>;

interface Place {
  readonly context: RequestContext;
  readonly runs: PowerfulRuns;
  readonly explainPart: ExplainPart;
}

/** Requests that are explained. */
const MAX_PARTS = 20;

/** @returns undefined if no request of the batch was run */
export async function explainBatch(
  { request: sent, status, body }: BatchPart,
  { context, runs, explainPart }: Place,
): Promise<readonly string[] | undefined> {
  const slices = parseBatch(sent.body, batchSettingsOf(context));
  const parsed = await runSlicesWithPauses(slices, context.pause);
  if (!parsed.ok) return undefined;
  const { requests, pointers } = parsed.value;
  const failed = status >= 400 && isJsonObject(body) ? body['request'] : undefined;
  if (status >= 400 && typeof failed !== 'number') return undefined;
  const first = typeof failed === 'number' ? failed : 0;
  const answers = typeof failed === 'number' ? await repeatUntil(failed, sent, { context, runs }) : body;
  const elements = Array.isArray(answers) ? answers.filter(isJsonObject) : [];
  const located = await locate(elements, pointers, context);
  const lines: string[] = [];
  for (const each of requests.slice(first, typeof failed === 'number' ? first + 1 : MAX_PARTS)) {
    const part = await expand(each, located, { sent, context });
    lines.push(`${describePart(each)}:`);
    if (part === undefined) continue;
    const own = typeof failed === 'number' ? { status, body } : readElement(elements[each.index]);
    const explained = await explainPart({ request: part, ...own });
    lines.push(...explained.map((line) => `  ${line}`));
  }
  if (typeof failed !== 'number' && requests.length > MAX_PARTS)
    lines.push(`Only the first ${MAX_PARTS} requests of the batch are explained.`);
  return lines;
}

function describePart({ index, id, method, target }: BatchRequest): string {
  const name = id === undefined ? '' : ` (${id})`;
  const path = target.map((part) => (typeof part === 'string' ? part : '…')).join('');
  return `Request ${index} of the batch${name}, ${method} ${path}`;
}

function readElement(element: Readonly<Record<string, unknown>> = {}): Pick<BatchPart, 'status' | 'body'> {
  const { status, body } = element;
  return { status: typeof status === 'number' ? status : 0, body };
}

/** Runs the requests before one again, and leaves what they do. */
async function repeatUntil(
  count: number,
  sent: HttpRequest,
  { context, runs }: Pick<Place, 'context' | 'runs'>,
): Promise<unknown> {
  if (count === 0) return [];
  const body = await runSlicesWithPauses(cut(sent.body, count), context.pause);
  const headers = sent.headers.filter(([name]) => !/^(?:prefer|idempotency-key)$/iu.test(name));
  const { response } = await handleRequest({ ...sent, headers, body }, { ...context, runScript: runs.runScript });
  const bytes = response.body === undefined || isStream(response.body) ? new Uint8Array() : response.body;
  return response.status < 300 ? JSON.parse(new TextDecoder().decode(bytes)) : [];
}

/** Returns the first elements of an array. */
function* cut(text: Uint8Array, count: number): Slices<Uint8Array> {
  let at = skipWhitespace(text, skipWhitespace(text, 0) + 1);
  let end = at;
  for (let index = 0; index < count; index += 1) {
    end = yield* scanAny(text, at);
    at = skipComma(text, end);
  }
  return Buffer.concat([text.subarray(0, end), Uint8Array.of(CLOSE_BRACKET)]);
}

async function locate(
  elements: readonly Readonly<Record<string, unknown>>[],
  pointers: ReadonlyMap<number, PointerTree>,
  { pause }: RequestContext,
): Promise<Located> {
  const located = new Map<number, LocatedValues>();
  for (const [index, tree] of pointers) {
    const body = new TextEncoder().encode(JSON.stringify(elements[index]?.['body'] ?? null));
    located.set(index, await runSlicesWithPauses(locateValues(body, tree), pause));
  }
  return located;
}

/** @returns undefined if a reference leads nowhere */
async function expand(
  each: BatchRequest,
  located: Located,
  { sent, context: { config, pause } }: { readonly sent: HttpRequest; readonly context: RequestContext },
): Promise<HttpRequest | undefined> {
  const limit = config.serverMaxBodySize;
  const slices = expandRequest(each, located, {
    maxUrlLength: config.urlMaxLength,
    maxBodySize: limit,
    bodySize: limit,
    referencedSize: config.batchMaxResponse,
    referencedTooMuch: { kind: 'limitExceeded', limit: '', status: 400 },
  });
  const expanded = await runSlicesWithPauses(slices, pause);
  return expanded.ok ? toHttpRequest(expanded.value, sent) : undefined;
}

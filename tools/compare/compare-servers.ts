// `rowhouse compare OLD_URL NEW_URL`: sends the same requests to two servers and prints how their responses differ.
import { deriveRequests } from './requests/describe-requests.ts';
import { parseAccessLog, parseHar, parseRequestFile } from './requests/parse-recording.ts';
import { escapeLine, escapeLines } from '../../src/observe/escape-text.ts';
import { renderComparison, renderComparisonAsJson, type Comparison } from './report/render-comparison.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { parseJsonObject } from '../../src/util/json-object.ts';
import { readText, readSecret } from '../support/read-text.ts';
import { type Reply, sendRequest } from './replies/send-request.ts';
import { DifferenceGroups, type Exchange } from './report/group-differences.ts';
import { type Choice, chooseRequests, withRollback, withToken } from './requests/choose-requests.ts';
import { basePathOf, nameServer, type RecordedRequest, type Recording } from './requests/recorded-request.ts';
import { type DialectName, DIALECTS } from '../../src/contract/dialect.ts';
import { allHeaders } from '../../src/contract/http.ts';
import { readErrorCode } from './replies/compare-replies.ts';

const EXIT_CODES = { same: 0, different: 1, failed: 2 } as const;

/** @returns the exit code: 0 without differences, 1 with differences, 2 if the comparison could not run */
export async function reportComparison(command: CompareCommand): Promise<number> {
  const comparison = await compareServers(command);
  if (!comparison.ok) {
    process.stderr.write(`${escapeLine(comparison.error)}\n`);
    return EXIT_CODES.failed;
  }
  // Names and values may contain terminal control sequences; JSON escapes them.
  const text = escapeLines(renderComparison(comparison.value));
  process.stdout.write(command.isJson ? renderComparisonAsJson(comparison.value) : text);
  const counted = comparison.value.groups.filter(
    ({ departure }) => departure === undefined || !command.areKnownAllowed,
  );
  return counted.length === 0 ? EXIT_CODES.same : EXIT_CODES.different;
}

export interface CompareCommand {
  readonly oldUrl: URL;
  readonly newUrl: URL;
  /** `description`: the root of the old server lists what to request. */
  readonly source:
    | { readonly kind: 'requests' | 'har' | 'log'; readonly file: string }
    | { readonly kind: 'description' };
  /** URL of the API when the requests were recorded. */
  readonly recordedAt: URL;
  /** As given; `@FILE` names a file that contains it. */
  readonly token: string | undefined;
  /** Whether requests that may change data are sent, to be rolled back. */
  readonly hasWrites: boolean;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Whether known departures count as no difference. */
  readonly areKnownAllowed: boolean;
  readonly isJson: boolean;
}

const WRITES_ARE_UNSAFE =
  'No writes were sent: both servers must confirm Prefer: tx=rollback. Set db-tx-end to commit-allow-override on both, and include a table that the requests can read.';

/** An error says why the comparison could not run. */
export async function compareServers(given: CompareCommand): Promise<Result<Comparison, string>> {
  const token = await readSecret(given.token);
  if (!token.ok) return token;
  const command = { ...given, token: token.value };
  const dialect = await findDialect(command);
  if (!dialect.ok) return dialect;
  const recording = await collectRequests(command);
  if (!recording.ok) return recording;
  const requests = recording.value.requests.map((request) => withToken(request, command.token));
  const choice = chooseRequests(requests, command.hasWrites);
  if (choice.reads.length + choice.writes.length === 0) return fail('There are no requests to send.');
  if (choice.writes.length > 0 && !(await areWritesSafe(command, requests))) return fail(WRITES_ARE_UNSAFE);
  const groups = new DifferenceGroups(dialect.value);
  const failure = await exchangeAll(command, choice, groups);
  if (failure !== undefined) return fail(failure);
  return ok({
    source: describeSource(command),
    compared: groups.compared,
    same: groups.same,
    skipped: [
      ['may change data (--writes sends them and rolls back)', choice.skippedWrites],
      ['not a request to this API', recording.value.foreign],
    ],
    groups: groups.sorted,
  });
}

function describeSource({ source, oldUrl }: CompareCommand): string {
  return source.kind === 'description' ? `the API description of ${nameServer(oldUrl)}` : source.file;
}

/** @returns an error message if a write was not rolled back */
async function exchangeAll(
  command: CompareCommand,
  { reads, writes }: Choice,
  groups: DifferenceGroups,
): Promise<string | undefined> {
  const queue = reads.values();
  const send = async (): Promise<void> => {
    for (const request of queue) groups.add(await exchange(command, request));
  };
  await Promise.all(Array.from({ length: command.concurrency }, send));
  // One after the other, because transactions on the same rows would wait for each other.
  for (const request of writes) {
    const written = await exchangeWrite(command, withRollback(request));
    if (written === undefined) return `${request.method} ${request.target} was not rolled back; the comparison stops.`;
    groups.add(written);
  }
  return undefined;
}

async function exchange({ oldUrl, newUrl, timeoutMs }: CompareCommand, request: RecordedRequest): Promise<Exchange> {
  const [old, other] = await Promise.all([
    sendRequest(oldUrl, request, timeoutMs),
    sendRequest(newUrl, request, timeoutMs),
  ]);
  return { request, old, new: other };
}

/** Returns undefined if a server did not roll the change back. */
async function exchangeWrite(
  { oldUrl, newUrl, timeoutMs }: CompareCommand,
  request: RecordedRequest,
): Promise<Exchange | undefined> {
  const old = await sendRequest(oldUrl, request, timeoutMs);
  if (isKept(old)) return undefined;
  const other = await sendRequest(newUrl, request, timeoutMs);
  return isKept(other) ? undefined : { request, old, new: other };
}

function isKept(reply: Reply): boolean {
  return reply.kind === 'response' && reply.status < 300 && !isRolledBack(reply);
}

// Examines the servers before the comparison: whether they respond, the dialect of the new one, and whether both roll
// changes back on request.

/** Both servers reject a path of several segments, with a code that reveals the dialect (`reading.md` §1). */
const UNKNOWN_PATH: RecordedRequest = { method: 'GET', target: '/-/-/-', headers: [], body: undefined };

/** Returns the dialect of the new server; undefined for another product. */
async function findDialect({
  oldUrl,
  newUrl,
  timeoutMs,
}: CompareCommand): Promise<Result<DialectName | undefined, string>> {
  const replies = await Promise.all([oldUrl, newUrl].map((url) => sendRequest(url, UNKNOWN_PATH, timeoutMs)));
  const [old, other] = replies;
  if (old?.kind !== 'response') return fail(`${nameServer(oldUrl)} does not respond: ${old?.reason}`);
  if (other?.kind !== 'response') return fail(`${nameServer(newUrl)} does not respond: ${other?.reason}`);
  const code = readErrorCode(other) ?? '';
  return ok(Object.values(DIALECTS).find(({ errorPrefix }) => code.startsWith(errorPrefix))?.name);
}

/** Returns whether the response promises that nothing was changed. */
function isRolledBack(reply: Reply): boolean {
  const applied = reply.kind === 'response' ? allHeaders(reply.headers, 'preference-applied') : [];
  return applied.some((value) => value.split(/\s*,\s*/u).includes('tx=rollback'));
}

/**
 * Returns whether both servers honor `Prefer: tx=rollback`, which they also report for reads (`writing.md` §13.1).
 *
 * @param requests whose relations to read; one that both can read suffices
 */
async function areWritesSafe(
  { oldUrl, newUrl, timeoutMs }: CompareCommand,
  requests: readonly RecordedRequest[],
): Promise<boolean> {
  const probes = new Map(
    requests.filter(isOnRelation).map((request) => [JSON.stringify(probeOf(request)), probeOf(request)]),
  );
  for (const probe of probes.values()) {
    const replies = await Promise.all([oldUrl, newUrl].map((url) => sendRequest(url, probe, timeoutMs)));
    if (replies.every((reply) => reply.kind === 'response' && reply.status < 300)) return replies.every(isRolledBack);
  }
  return false;
}

function isOnRelation({ target }: RecordedRequest): boolean {
  return /^\/(?!rpc\/)[^/?]+(?:\?|$)/u.test(target);
}

function probeOf({ target, headers }: RecordedRequest): RecordedRequest {
  const identity = headers.filter(([name]) => /^(?:authorization|cookie)$/u.test(name));
  const schema = headers.filter(([name]) => /^(?:accept|content)-profile$/u.test(name)).slice(0, 1);
  const profile = schema.map(([, value]) => ['accept-profile', value] as const);
  const path = target.replace(/\?.*$/u, '');
  return withRollback({
    method: 'GET',
    target: `${path}?limit=0`,
    headers: [...identity, ...profile],
    body: undefined,
  });
}

/**
 * Reads the requests to compare from the file or, without one, derives them from the description that the old server
 * returns at its root. An error is a message for the user.
 */
async function collectRequests(command: CompareCommand): Promise<Result<Recording, string>> {
  const { source, recordedAt } = command;
  if (source.kind === 'description') return describe(command);
  const text = await readText(source.file);
  if (!text.ok) return text;
  if (source.kind === 'log') return ok(parseAccessLog(text.value, basePathOf(recordedAt)));
  if (source.kind === 'har') return inFile(source.file, parseHar(text.value, recordedAt));
  const requests = parseRequestFile(text.value, recordedAt);
  return inFile(source.file, requests.ok ? ok({ requests: requests.value, foreign: 0 }) : requests);
}

function inFile<Value>(file: string, result: Result<Value, string>): Result<Value, string> {
  return result.ok ? result : fail(`${file}: ${result.error}`);
}

async function describe({ oldUrl, token, timeoutMs }: CompareCommand): Promise<Result<Recording, string>> {
  const root = {
    method: 'GET',
    target: '/',
    headers: [['accept', 'application/openapi+json']],
    body: undefined,
  } as const;
  const reply = await sendRequest(oldUrl, withToken(root, token), timeoutMs);
  if (reply.kind === 'failure') return fail(`${nameServer(oldUrl)} does not respond: ${reply.reason}`);
  const requests = deriveRequests(parseJsonObject(reply.body.toString('utf8')) ?? {});
  if (requests.length > 0) return ok({ requests, foreign: 0 });
  return fail(
    `${nameServer(oldUrl)} describes no tables (status ${reply.status}). Pass the requests with --requests, --har or --log`,
  );
}

// Sends the same requests to two servers and compares their responses.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf } from '../command-line/command.ts';
import { readToken } from '../support/read-text.ts';
import { collectRequests } from './collect-requests.ts';
import { areWritesSafe, findDialect, isRolledBack } from './probe-servers.ts';
import type { Reply } from './replies/reply.ts';
import { sendRequest } from './replies/send-request.ts';
import { DifferenceGroups, type Exchange } from './report/group-differences.ts';
import type { Comparison } from './report/render-comparison.ts';
import { type Choice, chooseRequests, withRollback, withToken } from './requests/choose-requests.ts';
import { nameServer, type RecordedRequest } from './requests/recorded-request.ts';

type CompareCommand = CommandOf<'compare'>;

const WRITES_ARE_UNSAFE =
  'No writes were sent: both servers must confirm Prefer: tx=rollback. Set db-tx-end to commit-allow-override on both, and include a table that the requests can read.';

/** An error says why the comparison could not run. */
export async function compareServers(given: CompareCommand): Promise<Result<Comparison, string>> {
  const token = await readToken(given.token);
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

// Examines the servers before the comparison: whether they respond, the dialect of the new one, and whether both roll
// changes back on request.
import { type DialectName, DIALECTS } from '../../src/contract/dialect.ts';
import { allHeaders } from '../../src/contract/http.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { readErrorCode } from './replies/compare-replies.ts';
import type { Reply } from './replies/reply.ts';
import { sendRequest } from './replies/send-request.ts';
import { withRollback } from './requests/choose-requests.ts';
import { nameServer, type RecordedRequest } from './requests/recorded-request.ts';

export interface Servers {
  readonly oldUrl: URL;
  readonly newUrl: URL;
  readonly timeoutMs: number;
}

/** Both servers reject a path of several segments, with a code that reveals the dialect (`reading.md` §1). */
const UNKNOWN_PATH: RecordedRequest = { method: 'GET', target: '/-/-/-', headers: [], body: undefined };

/** Returns the dialect of the new server; undefined if it is none of ours. */
export async function findDialect({
  oldUrl,
  newUrl,
  timeoutMs,
}: Servers): Promise<Result<DialectName | undefined, string>> {
  const replies = await Promise.all([oldUrl, newUrl].map((url) => sendRequest(url, UNKNOWN_PATH, timeoutMs)));
  const [old, other] = replies;
  if (old?.kind !== 'response') return fail(`${nameServer(oldUrl)} does not respond: ${old?.reason}`);
  if (other?.kind !== 'response') return fail(`${nameServer(newUrl)} does not respond: ${other?.reason}`);
  const code = readErrorCode(other) ?? '';
  return ok(Object.values(DIALECTS).find(({ errorPrefix }) => code.startsWith(errorPrefix))?.name);
}

/** Returns whether the response promises that nothing was changed. */
export function isRolledBack(reply: Reply): boolean {
  const applied = reply.kind === 'response' ? allHeaders(reply.headers, 'preference-applied') : [];
  return applied.some((value) => value.split(/\s*,\s*/u).includes('tx=rollback'));
}

/**
 * Returns whether both servers honor `Prefer: tx=rollback`, which they also report for reads (`writing.md` §13.1).
 *
 * @param requests whose relations to read; one that both can read suffices
 */
export async function areWritesSafe(
  { oldUrl, newUrl, timeoutMs }: Servers,
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

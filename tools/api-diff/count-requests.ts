// Counts how many recorded requests notice each change (`--log`).
import { appendTo } from '../../src/catalog/maps.ts';
import type { RequestSettings } from '../../src/request/parse-request.ts';
import type { RecordedRequest } from '../compare/requests/recorded-request.ts';
import { type Api, LETTERS } from './api.ts';
import type { Change, Uses } from './change.ts';
import { type LevelUse, readRequestUse, type RequestUse, type Sent } from './request-use.ts';

export interface Hits {
  readonly requests: number;
  /** Different requests, such as `GET /orders?select=total`; at most `MAX_SAMPLES`. */
  readonly samples: readonly string[];
}

const MAX_SAMPLES = 5;

/** @param old the API that the requests were sent to */
export function countRequests(
  changes: readonly Change[],
  requests: readonly RecordedRequest[],
  old: Api,
  settings: RequestSettings,
): ReadonlyMap<Change, Hits> {
  const byPath = new Map<string, Change[]>();
  for (const change of changes) appendTo(byPath, keyOf(change), change);
  const hits = new Map(changes.map((change) => [change, { requests: 0, samples: new Set<string>() }]));
  for (const { request, count } of countEqual(requests)) {
    const use = readRequestUse(request, old, settings);
    if (use === undefined) continue;
    const concerned = listPaths(use).flatMap((path) => byPath.get(keyOf({ schema: use.schema, path })) ?? []);
    for (const change of new Set(concerned)) {
      const hit = hits.get(change);
      if (hit === undefined || !isAffected(change, use)) continue;
      hit.requests += count;
      if (hit.samples.size < MAX_SAMPLES) hit.samples.add(`${request.method} ${request.target}`);
    }
  }
  return new Map([...hits].map(([change, hit]) => [change, { requests: hit.requests, samples: [...hit.samples] }]));
}

function keyOf({ schema, path }: Pick<Change, 'schema' | 'path'>): string {
  return JSON.stringify([schema, path]);
}

interface CountedRequest {
  readonly request: RecordedRequest;
  count: number;
}

/** A log repeats few different requests many times. */
function countEqual(requests: readonly RecordedRequest[]): Iterable<CountedRequest> {
  const counted = new Map<string, CountedRequest>();
  for (const request of requests) {
    const key = JSON.stringify(request);
    const found = counted.get(key);
    if (found === undefined) counted.set(key, { request, count: 1 });
    else found.count += 1;
  }
  return counted.values();
}

/** Includes `/`, the path of changes that concern every route. */
function listPaths({ levels, write, call }: RequestUse): readonly string[] {
  const relations = [...levels.map(({ relation }) => relation), ...(write === undefined ? [] : [write.relation])];
  return ['/', ...relations.map((name) => `/${name}`), ...(call === undefined ? [] : [`/rpc/${call.name}`])];
}

/** The parts of a request that concern the path of a change. */
interface Concerned {
  readonly levels: readonly LevelUse[];
  readonly write: RequestUse['write'];
  readonly call: RequestUse['call'];
}

function isAffected(change: Change, use: RequestUse): boolean {
  const { path, uses, name = '' } = change;
  const part: Concerned = {
    levels: use.levels.filter(({ relation }) => path === `/${relation}`),
    write: path === `/${use.write?.relation}` ? use.write : undefined,
    call: path === `/rpc/${use.call?.name}` ? use.call : undefined,
  };
  switch (uses.kind) {
    case 'nothing':
      return false;
    case 'any':
      return true;
    case 'embed':
    case 'hint':
      return embeds(part, uses, name);
    case 'mediaType':
      return use.accepted.includes(name);
    case 'call':
      return calls(part, uses);
    case 'commands':
    case 'column':
    case 'missing':
    case 'values':
    case 'conflict':
    case 'key':
      return readsOrWrites(part, uses, name);
  }
}

type UsesOf<K extends Uses['kind']> = Extract<Uses, { readonly kind: K }>;

function embeds({ levels }: Concerned, uses: UsesOf<'embed' | 'hint'>, name: string): boolean {
  const accepts = (hint: string | undefined): boolean =>
    uses.kind === 'hint' ? hint === uses.hint : uses.with === 'any' || hint === undefined;
  return levels.some((level) => level.embeds.some(({ target, hint }) => target === name && accepts(hint)));
}

function calls({ call }: Concerned, { isGet, argument }: UsesOf<'call'>): boolean {
  if (call === undefined || (isGet && !call.isGet)) return false;
  return argument === undefined || maySend(call.sent, argument);
}

function readsOrWrites(
  { levels, write, call }: Concerned,
  uses: UsesOf<'commands' | 'column' | 'missing' | 'values' | 'conflict' | 'key'>,
  name: string,
): boolean {
  const sender = write ?? call;
  switch (uses.kind) {
    case 'commands':
      // A write also has a level, with the rows that it finds or returns.
      return (
        (levels.length > (write === undefined ? 0 : 1) && uses.letters.includes('s')) || mayWrite(write, uses.letters)
      );
    case 'column':
      return (
        (uses.letters.includes('s') && levels.some(({ isWhole, columns }) => isWhole || columns.has(name))) ||
        (mayWrite(write, uses.letters) && maySend(write?.sent, name))
      );
    case 'missing':
      return (mayWrite(write, 'i') || call !== undefined) && !(sender?.sent?.names.has(uses.name) ?? false);
    case 'values':
      return (
        levels.some(({ values }) => uses.values.some((value) => values.has(value))) ||
        ((mayWrite(write, 'iu') || call !== undefined) && maySendValue(sender?.sent, uses.values))
      );
    case 'conflict':
      return isSameSet(write?.conflictTarget, uses.target);
    case 'key':
      return write?.isByKey ?? false;
  }
}

function mayWrite(write: RequestUse['write'], letters: string): boolean {
  return LETTERS.some((letter) => letters.includes(letter) && (write?.letters.includes(letter) ?? false));
}

function maySend(sent: Sent | undefined, name: string): boolean {
  return sent === undefined || sent.names.has(name);
}

function maySendValue(sent: Sent | undefined, values: readonly string[]): boolean {
  return sent === undefined || values.some((value) => sent.values.has(value));
}

function isSameSet(names: readonly string[] | undefined, others: readonly string[]): boolean {
  return names !== undefined && names.length === others.length && names.every((name) => others.includes(name));
}

// Finds what differs between two answers to one request, apart from what depends on time and on the database.
import type { RawAnswer } from './pipeline.ts';

/** What two runs of one program do not have in common. */
const VARYING: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // the transaction in the version of a row
  [/(?<=\d+\.\d+\.\d+-)\d+/gu, 'X'],
  // points in time of this run
  [/\b20[2-9]\d-\d\d-\d\d([T ])\d\d:\d\d:\d\d(?:\.\d+)?/gu, 'NOW'],
  [/\btest_[0-9a-f]{12}\b/gu, 'DATABASE'],
  [/\b127\.0\.0\.1:\d+/gu, 'HOST'],
  [/(?<=;dur=)\d+(?:\.\d+)?/gu, 'T'],
  // measured in plans, or dependent on what PostgreSQL has in memory
  [/(?<=ConstraintTrigger_[ac]_|Time"?: |Blocks"?: |Memory Usage"?: |Peak Memory Usage"?: )[\d.]+/gu, 'T'],
];

/** Returns a description of each difference. */
export function findDifferences(base: RawAnswer | undefined, own: RawAnswer | undefined): readonly string[] {
  if (base === undefined || own === undefined)
    return base === own ? [] : [`connection: ${showStatus(base)} → ${showStatus(own)}`];
  const [before, after] = [render(base), render(own)];
  return [
    ...(base.statusLine === own.statusLine ? [] : [`status: ${base.statusLine} → ${own.statusLine}`]),
    ...showDifference('headers', before.headers, after.headers),
    ...showDifference('body', before.body, after.body),
  ];
}

/** Characters shown before the place where two texts begin to differ, and of what follows. */
const [BEFORE, BEHIND] = [120, 400];

export function showDifference(name: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  let at = 0;
  while (before[at] === after[at]) at += 1;
  const show = (text: string): string => text.slice(Math.max(0, at - BEFORE), at + BEHIND);
  return [`${name} from ${at}: ${show(before)}\n  → ${show(after)}`];
}

function showStatus(answer: RawAnswer | undefined): string {
  return answer?.statusLine ?? 'closed';
}

function render({ headers, body }: RawAnswer): { readonly headers: string; readonly body: string } {
  const text = body.toString('latin1');
  const masked = mask(text);
  // What varies has a length that varies: so has the body around it.
  const kept = headers.filter(
    (line) => !line.startsWith('Date: ') && (masked === text || !/^(?:Content-Length|ETag): /u.test(line)),
  );
  return { headers: mask(kept.join(' | ')), body: masked };
}

export function mask(text: string): string {
  return VARYING.reduce((shown, [pattern, replacement]) => shown.replaceAll(pattern, replacement), text);
}

// Compares two responses and names the parts that differ: `status` (with its reason), `body`, `hint` (of errors with open
// hints), or a lower-case header name.
import { isDeepStrictEqual } from 'node:util';
import type { RawResponse } from './send-step.ts';

type Parts = ReadonlyMap<string, unknown>;

export function findDifferences(one: RawResponse, other: RawResponse, rename: (text: string) => string): string[] {
  const [ours, theirs] = [takeApart(one, rename), takeApart(other, rename)];
  const names = new Set([...ours.keys(), ...theirs.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(ours.get(name), theirs.get(name)));
}

/**
 * Splits a response into parts, without those that always differ: the date, durations, and lengths that depend on
 * names.
 */
function takeApart({ status, reason, headers, body }: RawResponse, rename: (text: string) => string): Parts {
  const isPlan = headers.get('content-type')?.some((type) => type.includes('.plan')) === true;
  const text = rename(body.toString('utf8')).replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:port');
  const lines = [...headers]
    .filter(([name]) => name !== 'date' && name !== 'content-length')
    .map(([name, values]) => [name, values.map((value) => rename(withoutDurations(name, value)))] as const);
  return new Map<string, unknown>([
    ['status', `${status} ${reason}`],
    ...(hasOpenHint(text)
      ? takeHint(text)
      : [['body', isPlan ? text.replaceAll(/\d+(\.\d+)?/gu, '0') : text] as const]),
    ...lines,
  ]);
}

/** Recognizes errors with a hint that the cases leave open. */
function hasOpenHint(body: string): boolean {
  const isOpen = /^\{"code":"(?:[A-Z]+(?:100|102|108|123|125|200|204|301)|42501|42703)",/u.test(body);
  return isOpen || /^\{"code":"22P02",.*"message":"invalid input value for enum /u.test(body);
}

function takeHint(body: string): readonly (readonly [string, unknown])[] {
  const { hint, ...error } = JSON.parse(body) as { readonly hint: unknown };
  return [
    ['body', error],
    ['hint', hint],
  ];
}

function withoutDurations(name: string, value: string): string {
  return name === 'server-timing' ? value.replaceAll(/\d+\.\d+/gu, '0') : value;
}

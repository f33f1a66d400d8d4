// Compares a response with an expectation and lists the problems. Matchers may occur anywhere: `$match`, `$contains`,
// `$any`, `$has`.
import { isDeepStrictEqual } from 'node:util';
import type { Expectation } from './conformance-case.ts';
import type { RawResponse } from './send-step.ts';

export function findProblems(expect: Expectation, got: RawResponse): readonly string[] {
  return [
    ...(expect.status !== undefined && expect.status !== got.status
      ? [`status ${got.status}, expected ${expect.status}`]
      : []),
    ...(expect.reason !== undefined && !matches(expect.reason, got.reason) ? [`reason ${got.reason}`] : []),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, want]) => {
      const have = got.headers.get(name.toLowerCase());
      return matchesHeader(want, have) ? [] : [`header ${name}: ${show(have)}, expected ${show(want)}`];
    }),
    ...findBodyProblems(expect, got.body),
  ];
}

function matchesHeader(want: unknown, have: readonly string[] | undefined): boolean {
  if (want === null) return have === undefined;
  if (Array.isArray(want)) return isDeepStrictEqual(want, have);
  return have?.length === 1 && matches(want, have[0]);
}

function findBodyProblems(expect: Expectation, body: Buffer): readonly string[] {
  const problems: string[] = [];
  const text = body.toString('utf8');
  if ('json' in expect && !matches(expect.json, parseJson(text)))
    problems.push(`body ${text.slice(0, 700)}, expected ${show(expect.json)}`);
  if ('text' in expect && !matches(expect.text, text))
    problems.push(`body ${show(text.slice(0, 700))}, expected ${show(expect.text)}`);
  if (expect.base64 !== undefined && body.toString('base64') !== expect.base64) problems.push('body bytes differ');
  return problems;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Symbol('not JSON');
  }
}

function matches(want: unknown, got: unknown): boolean {
  if (Array.isArray(want))
    return Array.isArray(got) && want.length === got.length && want.every((item, index) => matches(item, got[index]));
  if (!isObject(want)) return want === got;
  if ('$match' in want) return typeof got === 'string' && new RegExp(String(want['$match'])).test(got);
  if ('$any' in want) return true;
  if ('$contains' in want) return typeof got === 'string' && got.includes(String(want['$contains']));
  if ('$has' in want) return isObject(got) && isObject(want['$has']) && hasAll(want['$has'], got);
  return isObject(got) && Object.keys(want).length === Object.keys(got).length && hasAll(want, got);
}

function hasAll(want: Record<string, unknown>, got: Record<string, unknown>): boolean {
  return Object.entries(want).every(([key, value]) => Object.hasOwn(got, key) && matches(value, got[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 700) ?? 'nothing';
}

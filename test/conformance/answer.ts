// Converts a response and the expectation of an exchange to the same form: exact status, exact set of headers, exact
// body.
import { expect } from 'vitest';
import type { Answer } from './exchange.ts';
import type { RawResponse } from './send-step.ts';

/** Headers sent with every response whose values vary. */
const ALWAYS = new Set(['date', 'connection']);

interface Described {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export function describeResponse({ status, headers, body }: RawResponse): Described {
  const shown = [...headers].filter(([name]) => !ALWAYS.has(name)).map(([name, values]) => [name, values.join(' | ')]);
  return { status, headers: Object.fromEntries(shown) as Answer['headers'], body: parseBody(body.toString()) };
}

export function expectationOf({ status, headers, body }: Answer, response: RawResponse): Described {
  const length = headers['content-length'] === '#' ? { 'content-length': String(response.body.length) } : {};
  const [, part] = /^…(.*)…$/u.exec(body) ?? [];
  return {
    status,
    headers: { server: expect.stringMatching(/^rowhouse\/\d+\.\d+$/u), ...headers, ...length },
    body: part === undefined ? parseBody(body) : expectPart(part, response.body.toString()),
  };
}

function expectPart(part: string, body: string): unknown {
  expect(body).toContain(part);
  return parseBody(body);
}

/** Parses JSON; returns other text unchanged. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

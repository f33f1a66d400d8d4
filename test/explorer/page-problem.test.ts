// Detection of problems that affect the whole page.
import { expect, test } from 'vitest';
import type { Exchange } from '../../explorer/src/client/exchange.ts';
import { findPageProblem } from '../../explorer/src/shell/page-problem.ts';

const REQUEST = { method: 'GET', url: '/', headers: [], body: undefined } as const;
const READY = { kind: 'ready', value: undefined } as const;
const TOKEN = `${part({})}.${part({ exp: 100 })}.c2ln`;

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function answered(status: number, text: string): Exchange {
  const response = { status, headers: [], text, content: new Blob([text]), bytes: 0, milliseconds: 0 };
  return { kind: 'answered', request: REQUEST, response };
}

test.each([
  ['without a token', undefined, 50, 'needsToken'],
  ['with a valid token', TOKEN, 50, 'refused'],
  ['with an expired token', TOKEN, 150, 'expired'],
])('a 401 response %s is detected', (_, token, nowSeconds, kind) => {
  const refused = answered(401, '{"code":"SVC302","message":"No","hint":"Ask"}');
  const problem = { kind, error: { code: 'SVC302', message: 'No', details: undefined, hint: 'Ask' } };
  expect(
    findPageProblem({
      schema: { kind: 'failed', exchange: refused },
      exchange: undefined,
      token,
      nowSeconds,
      isLinkRefused: false,
    }),
  ).toEqual(problem);
  expect(findPageProblem({ schema: READY, exchange: refused, token, nowSeconds, isLinkRefused: false })).toEqual(
    problem,
  );
});

test.each([
  [answered(403, '{"message":"permission denied"}'), 'forbidden', 'permission denied'],
  [answered(406, '{"message":"Invalid schema"}'), 'unknownSchema', 'Invalid schema'],
  [answered(502, '<html>'), 'noDescription', 'The server returned status 502.'],
  [{ kind: 'failed', request: REQUEST, reason: 'network' } as const, 'unreachable', undefined],
])('a failed schema request is reported: %o', (exchange, kind, message) => {
  const schema = { kind: 'failed', exchange } as const;
  const problem = findPageProblem({
    schema,
    exchange: undefined,
    token: undefined,
    nowSeconds: 0,
    isLinkRefused: false,
  });
  expect([problem?.kind, problem?.error?.message]).toEqual([kind, message]);
});

test('a failed request alone is not a problem of the whole page', () => {
  const circumstances = { schema: READY, token: undefined, nowSeconds: 0, isLinkRefused: false };
  expect(findPageProblem({ ...circumstances, exchange: answered(400, '{"message":"No"}') })).toBeUndefined();
  expect(findPageProblem({ ...circumstances, exchange: answered(200, '[]') })).toBeUndefined();
  expect(findPageProblem({ ...circumstances, exchange: undefined })).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../src/contract/http.ts';
import { explainNotFound } from '../../../tools/project/dev/unserved.ts';

const TABLE = { name: 'reviews', place: 'schema/reviews.sql:1', served: ['api'] };
const UNSERVED = new Map([[TABLE.name, TABLE]]);

function ask(path: string, response: Pick<HttpResponse, 'status'>, text: string): unknown {
  const request: Pick<HttpRequest, 'path'> = { path };
  const headers = [['Content-Length', String(text.length)] as const];
  const { body, ...rest } = explainNotFound(
    request as HttpRequest,
    { ...response, headers, body: Buffer.from(text) },
    UNSERVED,
  );
  return [body instanceof Uint8Array ? Buffer.from(body).toString() : body, rest.headers];
}

test('P5c the 404 for such a table says why it has no route; other responses stay as they are', () => {
  const error = JSON.stringify({ code: 'SVC205', message: 'not found', hint: null });
  expect(ask('/reviews', { status: 404 }, error)).toEqual([
    JSON.stringify({
      code: 'SVC205',
      message: 'not found',
      hint: 'schema/reviews.sql:1: public.reviews is not served (db-schemas = api). To serve it: create table api.reviews, or add public to db-schemas.',
    }),
    [],
  ]);
  for (const [path, status] of [
    ['/others', 404],
    ['/reviews', 200],
    ['/%', 404],
  ] as const)
    expect(ask(path, { status }, error)).toEqual([error, [['Content-Length', String(error.length)]]]);
});

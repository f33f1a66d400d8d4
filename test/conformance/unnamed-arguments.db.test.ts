// Arguments with an empty name, in both dialects: they are passed to the single unnamed parameter.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS, type DialectName } from '../../src/contract/dialect.ts';
import { serveWriting, type Service } from './serve.ts';

const FIXTURE = `
  create function api.loud(text) returns text language sql immutable as $$ select upper($1) $$;
  create function api.louder(text) returns text language sql immutable as $$ select upper($1) $$;
  create function api.louder(a text, b text) returns text language sql immutable as $$ select a || b $$;
  create function api.louder() returns text language sql immutable as $$ select 'none' $$;
  create function api.counted(bytea) returns int language sql immutable as $$ select length($1) $$;
  create function api.element(xml) returns text language sql immutable as $$ select (xpath('name(/*)', $1))[1]::text $$;
  create function api.kept(json) returns json language sql immutable as $$ select $1 $$;
  create function api.either(json) returns text language sql immutable as $$ select 'json' $$;
  create function api.either(text) returns text language sql immutable as $$ select 'text' $$;
  create function api.written(text) returns text language plpgsql volatile as $$
    begin insert into api.tags values (70, $1); return $1; end $$;`;

describe.each<DialectName>(['svc', 'postgrest'])('%s', (dialect) => {
  const { errorPrefix } = DIALECTS[dialect];
  let service: Service;
  beforeAll(async () => {
    service = await serveWriting({ dialect, 'db-tx-end': 'rollback' }, FIXTURE);
  });
  afterAll(() => service?.stop());

  async function call(name: string, body: unknown, type = 'application/json'): Promise<unknown> {
    const headers = { 'Content-Type': type };
    const answer = await service.send({ method: 'POST', path: `/rpc/${name}`, headers, body });
    return [answer.status, answer.headers.get('content-type')?.[0], JSON.parse(answer.body.toString())];
  }

  const JSON_TYPE = 'application/json; charset=utf-8';

  test.each<[what: string, name: string, body: unknown, result: unknown]>([
    ['a text', 'loud', { '': 'x' }, 'X'],
    ['a value that is not text', 'loud', { '': { a: [1] } }, '{"A":[1]}'],
    ['null', 'loud', { '': null }, null],
    ['the first of several', 'loud', [{ '': 'x' }, { '': 'y' }], 'X'],
    ['bytes', 'counted', { '': String.raw`\x6162` }, 2],
    ['XML', 'element', { '': '<a/>' }, 'a'],
    ['the overload with an unnamed parameter', 'louder', { '': 'x' }, 'X'],
    ['the overload with named parameters', 'louder', { a: 'x', b: 'y' }, 'xy'],
    ['the overload without parameters', 'louder', {}, 'none'],
    ['a function that writes', 'written', { '': 'x' }, 'x'],
  ])('an argument with an empty name is passed to the unnamed parameter: %s', async (_, name, body, result) => {
    expect(await call(name, body)).toEqual([200, JSON_TYPE, result]);
  });

  test('form and CSV bodies can have an empty name as well', async () => {
    expect(await call('loud', '=x', 'application/x-www-form-urlencoded')).toEqual([200, JSON_TYPE, 'X']);
    expect(await call('loud', '""\nx', 'text/csv')).toEqual([200, JSON_TYPE, 'X']);
  });

  test('W189 a parameter that takes the whole body does so, whatever the names in it', async () => {
    expect(await call('kept', { '': 'x' })).toEqual([200, JSON_TYPE, { '': 'x' }]);
    expect(await call('kept', { a: 1 })).toEqual([200, JSON_TYPE, { a: 1 }]);
    expect(await call('either', { a: 1 })).toEqual([200, JSON_TYPE, 'json']);
  });

  test('two overloads with an unnamed parameter are ambiguous', async () => {
    expect(await call('either', { '': 'x' })).toEqual([
      300,
      JSON_TYPE,
      {
        code: `${errorPrefix}203`,
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
        message: 'Could not choose the best candidate function between: api.either( => json), api.either( => text)',
      },
    ]);
  });

  test('a further argument is rejected', async () => {
    const answer = await service.send({ method: 'POST', path: '/rpc/loud', headers: {}, body: { '': 'x', a: 1 } });
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([
      404,
      expect.objectContaining({ code: `${errorPrefix}202` }),
    ]);
  });
});

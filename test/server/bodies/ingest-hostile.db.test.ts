// Truncated, malformed and random row bodies, and pre-request functions (`beyond.md` §2.5): either all rows are
// inserted or none, and the client learns which.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.cargo (id int, name text);
    create table api.seen (method text, path text);
    create function api.check_in() returns void language plpgsql security definer as $$ begin
      if current_setting('request.headers', true)::json ->> 'x-refuse' is not null then
        raise exception 'not today' using errcode = 'P0001';
      end if;
      insert into api.seen values (current_setting('request.method'), current_setting('request.path'));
      perform set_config('response.headers', '[{"X-Checked": "yes"}]', true);
    end $$;
    grant select, insert on api.cargo to ${harbor.anon};
  `);
const server = await use(startLocalServer(harbor, { 'db-pool': 2 }));
const checked = await use(startLocalServer(harbor, { 'db-pool': 2, 'db-pre-request': 'api.check_in' }));
beforeEach(() => harbor.sql('truncate api.cargo, api.seen'));

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

/** Sends each chunk as one HTTP chunk, so the server never receives more than one chunk at once. */
async function send(
  chunks: readonly Uint8Array[],
  type: string,
  {
    to = server,
    headers = {},
  }: { readonly to?: LocalServer; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const outgoing = request({
    host: '127.0.0.1',
    port: to.port,
    path: '/cargo',
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': type, 'Transfer-Encoding': 'chunked', ...headers },
  });
  const answered = once(outgoing, 'response');
  // A rejected body is not read to the end.
  outgoing.on('error', () => undefined);
  for (const chunk of chunks) if (chunk.length > 0) outgoing.write(chunk);
  outgoing.end();
  const [incoming] = (await answered) as [IncomingMessage];
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await text(incoming) };
}

async function stored(): Promise<number> {
  return Number((await harbor.query('select count(*)::int from api.cargo'))[0]?.[0]);
}

async function isPoolWhole(): Promise<void> {
  const open = `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and xact_start is not null`;
  await until(async () => (await harbor.query(open))[0]?.[0] === 0);
}

function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** Enough rows that the first batches are inserted before the last one arrives. */
const FILLER = 'x'.repeat(80);
const MANY = 14_000;
const BEFORE: Readonly<Record<string, Buffer>> = {
  [NDJSON]: Buffer.from(`{"id":1,"name":"${FILLER}"}\n`.repeat(MANY)),
  [CSV]: Buffer.from(`id,name\n${`1,${FILLER}\n`.repeat(MANY)}`),
};

const PARTS: Readonly<Record<string, readonly string[]>> = {
  [NDJSON]: [
    '{"id":1,"name":"é"}\n',
    '{"name":null,"id":"2"}',
    '{"id":"x","name":1}\n',
    '{"id":1,"name":"\\u0000"}\n',
    '{"id":1,"name":"\\ud800"}\n',
    '{"id":1e99,"name":{}}\n',
    '{"id":1}',
    '{"id":[],"name":[[]]}\n',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    '\\',
    '\n',
    '\r\n',
    '\u0000',
  ],
  [CSV]: [
    'id,name\n',
    '1,é\n',
    '2,"a\n""b"""\r\n',
    'NULL,NULL\n',
    '99999999999,x\n',
    'x,y\n',
    '1,2,3\n',
    '1,\u0000\n',
    ',',
    '"',
    '\n',
    '\r',
    ' ',
  ],
};

describe.each([
  [NDJSON, 100, 'alone', false],
  [NDJSON, 12, 'after 14,000 rows', true],
  [CSV, 50, 'alone', false],
  [CSV, 12, 'after 14,000 rows', true],
])('%s, %i random bodies %s', (type, numRuns, _, isLate) => {
  test('B44 insert all rows or none, and answer with success or a client error', async () => {
    const piece = fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(...(PARTS[type] ?? [])).map((part) => Buffer.from(part)) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)) },
    );
    const bodies = fc.sample(
      fc.tuple(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 4 })),
      numRuns,
    );
    let before = 0;
    for (const [pieces, places] of bodies) {
      const tail = Buffer.concat(pieces);
      const chunks = [...(isLate ? [BEFORE[type] ?? Buffer.alloc(0)] : []), ...cut(tail, places)];
      const answer = await send(chunks, type);
      const after = await stored();
      const [, reported] = /^\*\/(\d+)$/u.exec(answer.headers['content-range'] ?? '') ?? [];
      const why = `${JSON.stringify(tail.toString('latin1'))} cut at ${places.join()}: ${answer.status} ${answer.text}`;
      if (answer.status === 201) {
        expect(isLate ? after - before >= MANY : after >= before, why).toBe(true);
        if (reported !== undefined) expect(after - before, why).toBe(Number(reported));
      } else {
        expect([answer.status >= 400 && answer.status < 500, after - before], why).toEqual([true, 0]);
        expect(JSON.parse(answer.text), why).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      }
      before = after;
    }
    await isPoolWhole();
  });
});

test('B43 NDJSON split at any byte inserts the same rows', async () => {
  const body = Buffer.from('{"id":1,"name":"é"}\r\n\n {"name":"\\n","id":2}\n');
  for (let place = 0; place <= body.length; place += 1) {
    const answer = await send([body.subarray(0, place), body.subarray(place)], NDJSON);
    expect([answer.status, answer.headers['content-range']], `cut at ${place}`).toEqual([201, '*/2']);
  }
  expect(await harbor.query('select id, name, count(*)::int from api.cargo group by 1, 2 order by 1')).toEqual([
    [1, 'é', body.length + 1],
    [2, '\n', body.length + 1],
  ]);
});

test('B43 CSV split inside its header inserts the same rows', async () => {
  const body = BEFORE[CSV] ?? Buffer.alloc(0);
  for (let place = 1; place <= 10; place += 1) {
    const answer = await send([body.subarray(0, place), body.subarray(place)], CSV);
    expect([answer.status, answer.headers['content-range']], `cut at ${place}`).toEqual([201, `*/${MANY}`]);
  }
  expect(await stored()).toBe(10 * MANY);
});

describe.each([NDJSON, CSV])('%s, with a pre-request function', (type) => {
  const rows = [BEFORE[type] ?? Buffer.alloc(0)];

  test('B43 the function runs once, in the transaction of all rows', async () => {
    const answer = await send(rows, type, { to: checked });
    expect([answer.status, answer.headers['x-checked'], answer.headers['content-range']]).toEqual([
      201,
      'yes',
      `*/${MANY}`,
    ]);
    expect(await harbor.query('select method, path from api.seen')).toEqual([['POST', '/cargo']]);
    const xmins =
      'select count(distinct xmin::text)::int from (select xmin from api.cargo union all select xmin from api.seen) t';
    expect(await harbor.query(xmins)).toEqual([[1]]);
  });

  test('B44 the function can reject the request: no row is kept, and no line is reported', async () => {
    const answer = await send(rows, type, { to: checked, headers: { 'X-Refuse': 'yes' } });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { code: 'P0001', details: null, hint: null, message: 'not today' },
    ]);
    expect([await stored(), await harbor.query('select * from api.seen')]).toEqual([0, []]);
  });

  test('B44 if a late row is rejected, its line is reported and the function leaves no trace', async () => {
    const bad = Buffer.from(type === CSV ? 'x,y\n' : '{"id":"x","name":"y"}\n');
    const answer = await send([...rows, bad], type, { to: checked });
    const line = type === CSV ? MANY + 2 : MANY + 1;
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      400,
      { code: '22P02', details: `Line ${line} of the body` },
    ]);
    expect([await stored(), await harbor.query('select * from api.seen')]).toEqual([0, []]);
    await isPoolWhole();
  });
});

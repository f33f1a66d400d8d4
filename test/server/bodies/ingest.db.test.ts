// Rows that are inserted while they arrive (`beyond.md` §2.5): stored rows, reported errors, and unchanged behavior.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MountableService } from '../../../src/index.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type LocalServer, type Options, startLocalServer } from '../../support/local-server.ts';
import { startMountedService } from '../../support/mounted-service.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.load (
      id int primary key,
      name text default 'nobody' constraint short_name check (length(name) < 1000),
      amount numeric,
      data json,
      twice int generated always as (id * 2) stored);
    create table api.part (id int primary key, load_id int not null);
    alter table api.part add constraint part_load foreign key (load_id) references api.load deferrable initially deferred;
    create table api.owned (id int primary key, owner text);
    alter table api.owned enable row level security;
    create policy own on api.owned for insert with check (owner = 'me');
    create table api.closed (id int);
    create table api.held (id int, name text, amount numeric);
    create function api.hold_up() returns trigger language plpgsql as $$ begin perform api.wait(); return null; end $$;
    create trigger holding before insert on api.held for each statement execute function api.hold_up();
    grant select, insert, update on api.load, api.part, api.owned, api.held to ${harbor.anon};
    grant select on api.closed to ${harbor.anon};
    create table api.batch (rows int);
    create function api.count_rows() returns trigger language plpgsql security definer as
      $$ begin insert into api.batch select count(*) from new_rows; return null; end $$;
    create trigger counting after insert on api.load referencing new table as new_rows
      for each statement execute function api.count_rows();
  `);
const server = await use(startLocalServer(harbor, { 'db-tx-end': 'commit-allow-override', 'db-pool': 3 }));
beforeEach(() => harbor.sql('truncate api.load, api.part, api.owned, api.batch'));

const NDJSON = 'application/x-ndjson';
const MANY = 20_000;

interface Sending {
  readonly type?: string;
  readonly prefer?: string;
  readonly to?: LocalServer;
}

/** Uses chunked encoding if `Content-Length` is unknown. */
function send(path: string, body: string | Uint8Array, { type = NDJSON, prefer, to }: Sending = {}): Promise<Answer> {
  const headers = { 'Content-Type': type, ...(prefer === undefined ? {} : { Prefer: prefer }) };
  return (to ?? server).get(path, { method: 'POST', headers, body });
}

function lines(count: number, line: (id: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');
}

const PADDING = 'x'.repeat(60);
const object = (id: number): string => JSON.stringify({ id, name: `${PADDING} ${id}`, amount: id / 100 });
const record = (id: number): string => `${id},"${PADDING}, ""${id}""\n",${id / 100}`;

async function stored(): Promise<readonly unknown[] | undefined> {
  return (await harbor.query('select count(*)::int, coalesce(sum(id), 0)::int from api.load'))[0];
}

const NOTHING = [0, 0];

function errorOf({ status, text }: Answer): unknown {
  return { status, ...(JSON.parse(text) as Record<string, unknown>) };
}

describe('B43 NDJSON', () => {
  test('inserts rows with all digits and with defaults and generated columns, and counts them', async () => {
    const answer = await send('/load', '{"id":1,"amount":0.10000000000000000001}\n{"amount":2,"id":2}\n');
    expect(answer).toMatchObject({ status: 201, text: '', headers: { 'content-range': '*/2' } });
    expect(await harbor.query('select id, name, amount::text, twice from api.load order by id')).toEqual([
      [1, 'nobody', '0.10000000000000000001', 2],
      [2, 'nobody', '2', 4],
    ]);
  });

  test('inserts any number of rows in one transaction of several statements', async () => {
    const answer = await send('/load', lines(MANY, object));
    expect(answer).toMatchObject({ status: 201, headers: { 'content-range': `*/${MANY}` } });
    const [row] = await harbor.query(`
      select count(*)::int, sum(id)::int, count(distinct xmin::text)::int, count(distinct name)::int,
        (select count(*) > 2 and sum(rows) = ${MANY} from api.batch) from api.load`);
    expect(row).toEqual([MANY, (MANY * (MANY + 1)) / 2, 1, MANY, true]);
  });

  test.each([
    ['Windows line ends', '{"id":1}\r\n{"id":2}\r\n', 2],
    ['a last line without a newline', '{"id":1}\n{"id":2}', 2],
    ['blank lines, which are skipped', '\n \n{"id":1}\n\t\r\n\n{"id":2}\n\n', 2],
    ['whitespace around objects', ' {"id":1} \n\t{ "id" : 2 }', 2],
    ['the keys in another order', '{"id":1,"name":"a"}\n{"name":"b","id":2}\n', 2],
    ['an empty body', '', 0],
    ['only blank lines', '\n\n', 0],
    ['columns left to their defaults', '{"id":1}', 1],
  ])('accepts %s', async (_, body, count) => {
    expect(await send('/load', body)).toMatchObject({ status: 201, headers: { 'content-range': `*/${count}` } });
    expect(await stored()).toEqual([count, (count * (count + 1)) / 2]);
  });

  test('accepts a line longer than any batch', async () => {
    const data = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => index));
    const body = `{"id":1,"data":[]}\n{"id":2,"data":${data}}\n{"id":3,"data":${data}}\n`;
    expect(await send('/load', body)).toMatchObject({ status: 201, headers: { 'content-range': '*/3' } });
    const rows = await harbor.query('select id, json_array_length(data) from api.load order by id');
    expect(rows).toEqual([
      [1, 0],
      [2, 200_000],
      [3, 200_000],
    ]);
  });

  test('`columns` selects the keys, and `missing=default` fills in the missing ones', async () => {
    const body = '{"id":1,"mood":"good"}\n{"name":"b","id":2}\n';
    const answer = await send('/load?columns=id,name', body, { prefer: 'missing=default' });
    expect(answer).toMatchObject({ status: 201, headers: { 'preference-applied': 'missing=default' } });
    expect(await harbor.query('select id, name from api.load order by id')).toEqual([
      [1, 'nobody'],
      [2, 'b'],
    ]);
  });

  test('merges with existing rows, and the status says whether any row was new', async () => {
    const merge = { prefer: 'resolution=merge-duplicates' };
    expect((await send('/load', lines(MANY / 2, object), merge)).status).toBe(201);
    const changed = (id: number): string => JSON.stringify({ id, name: 'changed', amount: 0 });
    const again = await send('/load', lines(MANY / 2, changed), merge);
    expect(again).toMatchObject({ status: 200, headers: { 'content-range': `*/${MANY / 2}` } });
    expect((await send('/load', lines(MANY / 2 + 1, changed), merge)).status).toBe(201);
    expect(await harbor.query(`select count(*)::int from api.load where name = 'changed'`)).toEqual([[MANY / 2 + 1]]);
  });

  test('ignores rows that exist', async () => {
    await send('/load', '{"id":1,"name":"first"}');
    const answer = await send('/load?on_conflict=id', '{"id":1,"name":"second"}\n{"id":2,"name":"second"}', {
      prefer: 'resolution=ignore-duplicates',
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'content-range': '*/1' } });
    expect(await harbor.query('select id, name from api.load order by id')).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
  });

  test('rolls back on request', async () => {
    const answer = await send('/load', lines(MANY, object), { prefer: 'tx=rollback' });
    expect(answer).toMatchObject({ status: 201, headers: { 'content-range': `*/${MANY}` } });
    expect(await stored()).toEqual(NOTHING);
  });

  test('returns a location for one row, and none for several', async () => {
    const prefer = 'return=headers-only';
    expect((await send('/load', '{"id":7}', { prefer })).headers.location).toBe('/load?id=eq.7');
    expect((await send('/load', '{"id":8}\n{"id":9}', { prefer })).headers.location).toBeUndefined();
    expect(
      (
        await send(
          '/load',
          lines(MANY, (id) => object(id + 9)),
          { prefer },
        )
      ).headers.location,
    ).toBeUndefined();
  });
});

describe('B43 CSV', () => {
  const header = 'id,name,amount\n';
  const body = header + lines(MANY, record);
  const type = 'text/csv';

  test('beyond 1 MiB is inserted while it arrives', async () => {
    const answer = await send('/load', body, { type });
    expect(answer).toMatchObject({ status: 201, text: '', headers: { 'content-range': `*/${MANY}` } });
    const [row] = await harbor.query(`
      select count(*)::int, count(distinct xmin::text)::int, (select count(*) > 2 from api.batch),
        bool_and(name = '${PADDING}, "' || id || E'"\\n' and amount = id / 100.0) from api.load`);
    expect(row).toEqual([MANY, 1, true, true]);
  });

  test('in chunks is inserted while it arrives, once 1 MiB has been received', async () => {
    const outgoing = open('/load', { type });
    outgoing.end(body);
    expect(await finish(outgoing)).toMatchObject({ statusCode: 201, headers: { 'content-range': `*/${MANY}` } });
    expect((await harbor.query('select count(*) > 2 from api.batch'))[0]).toEqual([true]);
  });

  test('up to 1 MiB is inserted in one statement', async () => {
    const answer = await send('/load', header + lines(5000, record), { type });
    expect(answer).toMatchObject({ status: 201, headers: { 'content-range': '*/*' } });
    expect(await harbor.query('select rows from api.batch')).toEqual([[5000]]);
  });

  test('is held whole if the response returns its rows', async () => {
    const answer = await send('/load?select=id', body, { type, prefer: 'return=representation' });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toHaveLength(MANY);
    expect(await harbor.query('select rows from api.batch')).toEqual([[MANY]]);
  });

  test('B44 a record with the wrong number of fields is reported with its line, and nothing is kept', async () => {
    // Each record takes two lines.
    const answer = await send('/load', `${body}1,2\n`, { type });
    expect(errorOf(answer)).toEqual({
      status: 400,
      code: 'SVC102',
      message: `Line ${2 * MANY + 2}: All lines must have same number of fields`,
      details: null,
      hint: null,
    });
    expect(await stored()).toEqual(NOTHING);
  });

  test('B44 a value of the wrong type is reported with its line', async () => {
    const answer = await send('/load', `${body}many,x,1\n`, { type });
    expect(errorOf(answer)).toMatchObject({
      status: 400,
      code: '22P02',
      details: `Line ${2 * MANY + 2} of the body`,
    });
  });
});

/** Opens a request whose body is yet to be written. */
function open(path: string, { type = NDJSON, prefer, to = server }: Sending = {}): ClientRequest {
  const headers = {
    'Content-Type': type,
    'Transfer-Encoding': 'chunked',
    ...(prefer !== undefined && { Prefer: prefer }),
  };
  return request({ host: '127.0.0.1', port: to.port, path, method: 'POST', headers, agent: false });
}

async function finish(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  return incoming;
}

describe('B44 a line that is not a row', () => {
  const far = MANY + 1;
  const before = lines(MANY, object);

  test.each([
    ['is cut off', '{"id":1,"name":', 'Not a JSON object', `The JSON goes wrong at line ${far}, column 16`],
    ['is a number', '5', 'Not a JSON object', null],
    ['is an array', '[{"id":1}]', 'Not a JSON object', null],
    ['is two objects', `${object(1)} ${object(2)}`, 'Not a JSON object', expect.stringMatching(/column 96$/u)],
    ['is two objects with a comma', `${object(1)},${object(2)}`, 'Not a JSON object', expect.any(String)],
    [
      'has other keys',
      '{"id":1}',
      'All object keys must match',
      expect.stringMatching(/^List all keys in the URL: columns=/u),
    ],
    ['begins with a byte order mark', '\uFEFF{}', 'Not a JSON object', null],
    ['is part of a multi-line object', `{"id":1,\n"name":"x","amount":1}`, 'Not a JSON object', expect.any(String)],
  ])('%s: reported with its number, and nothing is kept', async (_, line, message, hint) => {
    const answer = await send('/load', `${before}${line}\n${object(MANY + 2)}\n`);
    expect(errorOf(answer)).toEqual({
      status: 400,
      code: 'SVC102',
      message: `Line ${far}: ${message}`,
      details: null,
      hint,
    });
    expect(await stored()).toEqual(NOTHING);
  });

  test('is not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"id":1,"name":"a"}\n{"id":2,"name":"'),
      Buffer.of(0xc3, 0x28),
      Buffer.from('"}'),
    ]);
    expect(errorOf(await send('/load', body))).toMatchObject({ status: 400, message: 'Line 2: Not a JSON object' });
  });

  test('is nested too deeply', async () => {
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    const answer = await send('/load', `{"id":1,"data":[]}\n{"id":2,"data":${deep}}`);
    expect(errorOf(answer)).toMatchObject({
      status: 400,
      code: 'SVC129',
      details: expect.stringMatching(/; line 2 exceeds this$/u),
    });
  });

  test('is found quickly after many blank lines', async () => {
    const answer = await send('/load', `${'\n'.repeat(400_000)}5`);
    expect(errorOf(answer)).toMatchObject({ status: 400, message: 'Line 400001: Not a JSON object' });
  });
});

describe('B44 a row that the database rejects', () => {
  const withRow = (line: string): string => `${lines(MANY, object)}${line}\n${lines(MANY, (id) => object(id + MANY))}`;
  const far = MANY + 1;

  test.each([
    ['22P02', 400, `{"id":"many","name":"x","amount":1}`, `Line ${far} of the body`],
    ['23505', 409, `{"id":0,"name":"x","amount":1}`, `Key (id)=(0) already exists. Line ${far} of the body`],
    ['22P05', 400, `{"id":-1,"name":"\\u0000","amount":1}`, expect.stringMatching(`Line ${far} of the body$`)],
    [
      '23514',
      400,
      `{"id":-1,"name":"${'y'.repeat(1000)}","amount":1}`,
      expect.stringMatching(`Line ${far} of the body$`),
    ],
  ])('%s is reported with its line, and nothing is kept', async (code, status, line, details) => {
    await harbor.sql(`insert into api.load values (0, 'zero')`);
    expect(errorOf(await send('/load', withRow(line)))).toMatchObject({ status, code, details });
    expect(await stored()).toEqual([1, 0]);
  });

  test('because of an earlier row of the same body is reported with a range of lines', async () => {
    const answer = await send('/load', withRow(object(1)));
    const { details } = errorOf(answer) as { details: string };
    const [, first, last] =
      /^Key \(id\)=\(1\) already exists\. Between lines (\d+) and (\d+) of the body$/u.exec(details) ?? [];
    expect(answer.status).toBe(409);
    expect(Number(first)).toBeLessThanOrEqual(far);
    expect(Number(last)).toBeGreaterThanOrEqual(far);
    expect(Number(last) - Number(first)).toBeLessThan(MANY);
    expect(await stored()).toEqual(NOTHING);
  });

  test('is reported with a range of lines if another error stops the search', async () => {
    await harbor.sql(`
      create table api.disturbed (id int);
      create sequence api.trials;
      create function api.disturb() returns trigger language plpgsql security definer as $$ begin
        if nextval('api.trials') = 6 then raise exception 'another error'; end if; return null; end $$;
      create trigger disturbing before insert on api.disturbed for each statement execute function api.disturb();
      grant insert on api.disturbed to ${harbor.anon};
      notify svc, 'reload schema';`);
    const row = (id: number): string => `{"id":${id === 701 ? '"many"' : id}}`;
    const send1000 = (): Promise<Answer> => send('/disturbed', lines(1000, row));
    await until(async () => (await send1000()).status !== 404);
    await harbor.sql(`alter sequence api.trials restart`);
    // The trials: the batch, no row, all rows, 500 and 750 rows, and the sixth, which fails.
    expect(errorOf(await send1000())).toMatchObject({
      status: 400,
      code: '22P02',
      details: 'Between lines 501 and 750 of the body',
    });
  });

  test('by a policy is reported with its line', async () => {
    const owned = (id: number): string => JSON.stringify({ id, owner: id === 4321 ? 'you' : 'me' });
    const answer = await send('/owned', lines(MANY, owned));
    expect(errorOf(answer)).toMatchObject({ status: 401, code: '42501', details: 'Line 4321 of the body' });
  });

  test('for lack of a privilege is reported without a line', async () => {
    const answer = await send('/closed', '{"id":1}\n{"id":2}');
    expect(errorOf(answer)).toMatchObject({ status: 401, code: '42501', details: null });
  });

  test('at commit: nothing is kept', async () => {
    const answer = await send(
      '/part',
      lines(MANY, (id) => `{"id":${id},"load_id":${id}}`),
    );
    expect(errorOf(answer)).toMatchObject({ status: 409, code: '23503' });
    expect(await harbor.query('select count(*)::int from api.part')).toEqual([[0]]);
  });

  test('for an unknown column is reported', async () => {
    expect(errorOf(await send('/load', '{"id":1,"mood":2}'))).toMatchObject({ status: 400, code: 'SVC204' });
  });
});

describe('B44 options that are unavailable because the rows are never held together', () => {
  test('return=representation is rejected', async () => {
    const answer = await send('/load', '{"id":1}', { prefer: 'return=representation' });
    expect(errorOf(answer)).toEqual({
      status: 400,
      code: 'SVC127',
      message: 'Feature not implemented',
      details: 'return=representation of rows that are inserted while they arrive',
      hint: null,
    });
    expect(await stored()).toEqual(NOTHING);
  });

  test.each(['PATCH', 'PUT'])('%s does not read NDJSON', async (method) => {
    const answer = await server.get('/load?id=eq.1', { method, headers: { 'Content-Type': NDJSON }, body: '{"id":1}' });
    expect(errorOf(answer)).toMatchObject({ status: 415, message: `Content-Type not acceptable: ${NDJSON}` });
  });

  test('a function call does not read NDJSON', async () => {
    expect((await send('/rpc/who', '{}')).status).toBe(415);
  });

  test('a single-object response is rejected for several rows', async () => {
    const headers = { 'Content-Type': NDJSON, Accept: 'application/vnd.svc.object+json' };
    const answer = await server.get('/load', { method: 'POST', headers, body: lines(MANY, object) });
    expect(errorOf(answer)).toMatchObject({ status: 406, details: `The result contains ${MANY} rows` });
    expect(await stored()).toEqual(NOTHING);
  });
});

describe('B43 limits', () => {
  test('the size of the body is unlimited, the size of a row is not', async () => {
    const small = await startLocalServer(harbor, { 'server-max-body-size': 10_000 });
    try {
      expect((await send('/load', lines(MANY, object), { to: small })).status).toBe(201);
      const outgoing = open('/load', { to: small });
      outgoing.end(lines(MANY, (id) => object(id + MANY)));
      expect((await finish(outgoing)).statusCode).toBe(201);
      const long = await send('/load', `{"id":-1,"name":"${'x'.repeat(300_000)}"}`, { to: small });
      expect(errorOf(long)).toMatchObject({ status: 413, code: 'SVC129' });
      const json = await send('/load', `[${' '.repeat(20_000)}]`, { to: small, type: 'application/json' });
      expect(json.status).toBe(413);
    } finally {
      await small.stop();
    }
  });

  test('a body that arrives too slowly is aborted, and nothing is kept', async () => {
    const strict = await startLocalServer(harbor, { 'server-body-timeout': 1 });
    try {
      const outgoing = open('/load', { to: strict });
      outgoing.write(lines(MANY, object));
      expect((await finish(outgoing)).statusCode).toBe(408);
      outgoing.destroy();
      expect(await stored()).toEqual(NOTHING);
      await isPoolWhole();
    } finally {
      await strict.stop();
    }
  });
});

/** Resolves once no session of the login role has an open transaction. */
async function isPoolWhole(): Promise<void> {
  const open = `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and xact_start is not null`;
  await until(async () => (await harbor.query(open))[0]?.[0] === 0);
}

async function isInserting(): Promise<void> {
  await until(async () => {
    const [row] = await harbor.query(
      `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and state = 'idle in transaction'`,
    );
    return row?.[0] === 1;
  });
}

describe('B44 interrupted uploads', () => {
  test.each([1, 500, MANY])(
    'the client leaves after %i rows: nothing is kept, and the connection is released',
    async (count) => {
      const outgoing = open('/load');
      outgoing.on('error', () => undefined);
      outgoing.write(lines(count, object));
      if (count === MANY) await isInserting();
      outgoing.destroy();
      await isPoolWhole();
      expect(await stored()).toEqual(NOTHING);
      expect((await send('/load', '{"id":1}')).status).toBe(201);
    },
  );

  test('the client leaves while a statement waits: the statement is cancelled', async () => {
    const hold = await harbor.hold();
    const outgoing = open('/held');
    outgoing.on('error', () => undefined);
    outgoing.write(lines(2000, object));
    await hold.waiting(1);
    outgoing.destroy();
    await isPoolWhole();
    await hold.release();
    expect(await harbor.query('select count(*)::int from api.held')).toEqual([[0]]);
  });

  test('the client of a preview leaves after the last row: the statement is cancelled', async () => {
    const hold = await harbor.hold();
    const outgoing = open('/held', { prefer: 'tx=rollback' });
    outgoing.on('error', () => undefined);
    outgoing.end(object(1));
    await hold.waiting(1);
    outgoing.destroy();
    await isPoolWhole();
    await hold.release();
    expect(await harbor.query('select count(*)::int from api.held')).toEqual([[0]]);
  });

  test('the server shuts down: it waits for the rest and keeps all rows', async () => {
    const leaving = await startLocalServer(harbor);
    const outgoing = open('/load', { to: leaving });
    outgoing.write(lines(MANY / 2, object));
    await isInserting();
    const stopped = leaving.stop();
    outgoing.end(lines(MANY / 2, (id) => object(id + MANY / 2)));
    expect((await finish(outgoing)).statusCode).toBe(201);
    await stopped;
    expect(await stored()).toEqual([MANY, (MANY * (MANY + 1)) / 2]);
  });

  test('the database session ends: nothing is kept, and the client receives an error', async () => {
    const outgoing = open('/load');
    outgoing.write(lines(MANY, object));
    const answered = finish(outgoing);
    await isInserting();
    await harbor.terminate('xact_start is not null');
    expect((await answered).statusCode).toBe(503);
    outgoing.destroy();
    expect(await stored()).toEqual(NOTHING);
    expect((await send('/load', '{"id":1}')).status).toBe(201);
  });
});

describe('B43 mounted in another server', () => {
  let service: MountableService;
  beforeAll(async () => {
    service = await startMountedService(harbor);
  });
  afterAll(() => service.stop());

  test('a Fetch API stream is read no faster than it is inserted', async () => {
    const body = Buffer.from(lines(MANY, object));
    let given = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(body.subarray(given, given + 10_000));
        given += 10_000;
        if (given >= body.length) controller.close();
      },
    });
    const headers = { 'Content-Type': NDJSON };
    const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
    const response = await service.createFetchHandler()(new Request('http://localhost/load', init));
    expect([response.status, response.headers.get('content-range')]).toEqual([201, `*/${MANY}`]);
    expect(await stored()).toEqual([MANY, (MANY * (MANY + 1)) / 2]);
  });

  test('B44 a stream that fails keeps nothing', async () => {
    const body = Buffer.from(lines(MANY, object));
    let given = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (given >= body.length) return controller.error(new Error('gone'));
        controller.enqueue(body.subarray(given, (given += 10_000)));
      },
    });
    const headers = { 'Content-Type': NDJSON };
    const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
    const response = await service.createFetchHandler()(new Request('http://localhost/load', init));
    expect(response.status).toBe(400);
    expect(await stored()).toEqual(NOTHING);
  });
});

describe.each([
  ['svc', { extensions: 'none' }],
  ['svc', { extensions: 'stream' }],
  ['postgrest', { dialect: 'postgrest' }],
] as const)('B54 without `ingest`, in the dialect %s', (dialect, options: Options) => {
  let plain: LocalServer;
  beforeAll(async () => {
    plain = await startLocalServer(harbor, options);
  });
  afterAll(() => plain.stop());

  test('NDJSON is an unsupported content type, whatever its length', async () => {
    for (const body of ['{"id":1}', lines(MANY, object)]) {
      const answer = await send('/load', body, { to: plain });
      const [status, code] = dialect === 'svc' ? [415, 'SVC107'] : [400, 'PGRST102'];
      expect(errorOf(answer)).toMatchObject({ status, code, message: `Content-Type not acceptable: ${NDJSON}` });
    }
  });

  test('CSV of any length is inserted in one statement', async () => {
    const answer = await send('/load', `id,name,amount\n${lines(MANY, record)}`, { type: 'text/csv', to: plain });
    expect(answer).toMatchObject({ status: 201, headers: { 'content-range': '*/*' } });
    expect(await harbor.query('select rows from api.batch')).toEqual([[MANY]]);
  });

  test('a body beyond the limit is rejected before it is read', async () => {
    const headers = { 'Content-Type': 'text/csv', 'Content-Length': '2000000000' };
    const outgoing = request({
      host: '127.0.0.1',
      port: plain.port,
      path: '/load',
      method: 'POST',
      headers,
      agent: false,
    });
    outgoing.on('error', () => undefined);
    outgoing.write('id\n');
    expect((await finish(outgoing)).statusCode).toBe(413);
    outgoing.destroy();
  });
});

test('B43 the postgrest dialect inserts NDJSON if the extension is enabled', async () => {
  const other = await startLocalServer(harbor, { dialect: 'postgrest', extensions: 'ingest' });
  try {
    expect(await send('/load', lines(MANY, object), { to: other })).toMatchObject({
      status: 201,
      headers: { 'content-range': `*/${MANY}` },
    });
    expect(errorOf(await send('/load', '{"id":-1}\n5', { to: other }))).toEqual({
      status: 400,
      code: 'PGRST102',
      message: 'Line 2: Not a JSON object',
      details: null,
      hint: null,
    });
  } finally {
    await other.stop();
  }
});

// Databases with another encoding than the response: a value without an equivalent is detected when its row is sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHarbor, type Harbor } from '../../support/harbor.ts';
import { type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

let harbor: Harbor;
let server: LocalServer;

describe.each([
  // No character is encoded as 0x81.
  ['WIN1252', '22P05', 129],
  // Bytes that are not UTF-8 are stored unchanged.
  ['SQL_ASCII', '22021', 200],
])('in %s', (encoding, code, byte) => {
  beforeAll(async () => {
    harbor = await createHarbor({ encoding });
    await harbor.sql(`
      create table api.label (id int primary key, text text);
      insert into api.label select n, repeat('x', 100) || case when n < 20000 then chr(67) else chr(${byte}) end
        from generate_series(1, 20000) n;
      create function api.labels() returns setof api.label language sql stable as 'table api.label';
      grant select on api.label to ${harbor.anon}`);
  });
  afterAll(() => harbor.drop());

  test.each([
    ['/label', 'application/json'],
    ['/label?id=gt.0', 'application/json'],
    ['/label', 'text/csv'],
    ['/label?id=gt.0', 'text/csv'],
    ['/rpc/labels', 'application/json'],
    ['/rpc/labels', 'text/csv'],
  ])('B27 %s as %s fails as a whole because of its last value', async (target, Accept) => {
    server = await use(startLocalServer(harbor));
    const answer = await server.get(target, { headers: { Accept } });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, expect.objectContaining({ code })]);
    expect((await server.get('/label?id=eq.1')).status).toBe(200);
  });

  test.each(['application/json', 'text/csv'])('B24 values with an equivalent are sent as %s', async (Accept) => {
    server = await use(startLocalServer(harbor));
    const answer = await server.get('/label?id=lt.20000&order=id', { headers: { Accept } });
    expect([answer.status, answer.headers['content-range']]).toEqual([200, '0-19998/*']);
    expect(answer.text.length).toBeGreaterThan(2_000_000);
  });

  test('B27 NDJSON is truncated at the value', async () => {
    server = await use(startLocalServer(harbor));
    await expect(server.get('/label', { headers: { Accept: 'application/x-ndjson' } })).rejects.toThrow('aborted');
    expect((await server.get('/label?id=eq.1')).status).toBe(200);
  });
});

test('B24 a UTF8 database streams long arrays', async () => {
  harbor = await createHarbor();
  await harbor.sql(`
    create table api.label (id int primary key, text text);
    insert into api.label select n, repeat('x', 100) from generate_series(1, 20000) n;
    grant select on api.label to ${harbor.anon}`);
  server = await use(startLocalServer(harbor));
  for (const Accept of ['application/json', 'text/csv'])
    expect((await server.get('/label', { headers: { Accept } })).headers['transfer-encoding']).toBe('chunked');
  await server.stop();
  await harbor.drop();
});

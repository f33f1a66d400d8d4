// Concurrent reads in one batch, over HTTP: each request gets the answer for its own role, key and error.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type Answer, bearer, type LocalServer, type Options, startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;

await harbor.sql(`grant select on api.ledger to ${harbor.user}; insert into api.ledger values (7)`);

async function start(options: Options = {}): Promise<void> {
  server = await use(startLocalServer(harbor, { 'db-pool': 2, 'db-batch-reads': true, ...options }));
}

const NAMES = ['North', 'South', 'West'];

async function readBerth(id: number): Promise<void> {
  const { status, text } = await server.get(`/berth?select=id,name&id=eq.${id}`);
  expect([status, JSON.parse(text)]).toStrictEqual([200, [{ id, name: NAMES[id - 1] }]]);
}

function readLedger(role: string | undefined): Promise<Answer> {
  return server.get('/ledger', role === undefined ? {} : { headers: bearer({ role }) });
}

async function readLedgers(): Promise<void> {
  const [anonymous, user] = await Promise.all([readLedger(undefined), readLedger(harbor.user)]);
  expect([anonymous.status, user.status, user.text]).toStrictEqual([401, 200, '[{"id":7}]']);
}

async function refuseType(): Promise<void> {
  const { status, text } = await server.get('/berth?id=eq.north');
  expect([status, JSON.parse(text)]).toMatchObject([400, { code: '22P02' }]);
}

test('each of many concurrent requests gets its own answer', async () => {
  await start();
  for (let round = 0; round < 10; round += 1) {
    const requests = Array.from({ length: 12 }, (_, index) => [
      readBerth(1 + (index % 3)),
      readLedgers(),
      refuseType(),
    ]);
    await Promise.all(requests.flat());
  }
  expect(await server.metric('db_pool_waiting')).toBe(0);
  expect(await server.metric('db_pool_timeouts_total')).toBe(0);
});

test('with db-discard-plans, where no batch is shared, each request gets its own answer', async () => {
  await start({ 'db-discard-plans': true });
  await Promise.all([readBerth(1), readLedgers(), readBerth(2), refuseType(), readLedgers()]);
});

test('without prepared statements, each request gets its own answer', async () => {
  await start({ 'db-prepared-statements': false });
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([readBerth(1), readLedgers(), readBerth(2), refuseType(), readBerth(3), readLedgers()]);
  }
});

test('a table that changes between requests is read correctly', async () => {
  await start();
  const read = async (): Promise<readonly string[]> => {
    const answers = await Promise.all([1, 2, 3].map(() => server.get('/visit?select=id')));
    return answers.map(({ status, text }) => `${status} ${text}`);
  };
  for (const type of ['bigint', 'int', 'bigint']) {
    await harbor.sql(`alter table api.visit alter id type ${type}`);
    expect(await read()).toStrictEqual(['200 []', '200 []', '200 []']);
    expect(await read()).toStrictEqual(['200 []', '200 []', '200 []']);
  }
});

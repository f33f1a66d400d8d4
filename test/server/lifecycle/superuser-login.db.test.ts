// The login role is a superuser: a member of no role that may switch to any.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';

const harbor = await useHarbor();

await harbor.sql(`
    alter role ${harbor.anon} set timezone = 'Asia/Tokyo';
    alter role ${harbor.anon} set statement_timeout = '200ms';
    alter role ${harbor.anon} set default_transaction_isolation = 'serializable';`);

test('O118 the settings of the role of the request apply', async () => {
  const server = await startLocalServer(harbor, { 'db-uri': harbor.adminUri, 'db-config': true });
  expect(await server.json('/rpc/who')).toBe(harbor.anon);
  expect(await server.json('/rpc/setting?name=TimeZone')).toBe('Asia/Tokyo');
  expect(await server.json('/rpc/setting?name=transaction_isolation')).toBe('serializable');
  const slow = await server.get('/rpc/nap_reading?seconds=5');
  expect([slow.status, slow.text]).toEqual([500, expect.stringContaining('57014')]);
  await server.stop();
});

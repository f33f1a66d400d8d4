// The banner of `rowhouse CONFIG`, which only terminals get.
import { afterEach, expect, test } from 'vitest';
import { createDatabasePlan, renderServeBanner, type ServeFacts } from '../../src/server/serve-plan.ts';
import { createHarbor } from '../support/harbor.ts';
import { startLocalServer } from '../support/local-server.ts';

const FACTS: ServeFacts = {
  place: 'http://localhost:3000',
  schemas: ['public'],
  anonRole: 'web_anon',
  hasExplorer: true,
  isExposed: false,
};
const { isTTY } = process.stdout;

afterEach(() => {
  process.stdout.isTTY = isTTY;
});

test('the banner names the schema, the address, the explorer and the role of requests', () => {
  expect(renderServeBanner(FACTS)).toBe(`
  Rowhouse serves the schema public at http://localhost:3000.
  Explorer: open http://localhost:3000/ in a browser.
  Requests without a token run as the role web_anon.
  Press Ctrl-C to stop.
`);
});

test('the banner says that other machines can connect and that tokens are required', () => {
  const banner = renderServeBanner({
    ...FACTS,
    schemas: ['api', 'v2'],
    anonRole: undefined,
    hasExplorer: false,
    isExposed: true,
  });
  expect(banner).toBe(`
  Rowhouse serves the schemas api, v2 at http://localhost:3000; other machines can connect (server-host).
  Requests need a token.
  Press Ctrl-C to stop.
`);
});

test('only terminals get the banner, because programs may expect nothing but access logs', async () => {
  const harbor = await createHarbor();
  const local = await startLocalServer(harbor, { 'server-explorer': true });
  const plan = createDatabasePlan({ file: undefined, environment: {} });
  process.stdout.isTTY = false;
  expect(plan.onListening(local.server)).toBeUndefined();
  process.stdout.isTTY = true;
  expect(plan.onListening(local.server)).toContain(
    `\n  Explorer: open http://localhost:${local.port}/ in a browser.\n`,
  );
  await local.stop();
  await harbor.drop();
});

import { expect, test } from 'vitest';
import { type DevFacts, renderDevBanner } from '../../../tools/dev/dev-banner.ts';

const FACTS: DevFacts = {
  url: 'http://localhost:3000',
  database: 'shop',
  schemas: ['api', 'public'],
  example: undefined,
  hasExplorer: true,
  viewAsKey: undefined,
  role: 'clerk',
  login: 'clerk',
  isSuperuser: false,
  inspector: undefined,
  dataFolder: undefined,
  command: 'npx rowhouse',
};

test('the banner shows what is served, the role of requests and a warning about production', () => {
  expect(renderDevBanner(FACTS)).toBe(`
  Rowhouse serves the database shop (api, public) at http://localhost:3000, on this machine only.
  Explorer: open http://localhost:3000/ in a browser.

  WARNING: requests need no token. Without one, they run as the role clerk.
  Any program on this machine can send them; web pages of other sites are refused. Do not use in production.

  curl 'http://localhost:3000/'

  Schema changes take effect within a second or two. Press Ctrl-C to stop.
`);
});

test('the banner warns of a superuser, unless requests run as another role', () => {
  const warning = 'they run as the role clerk, a superuser, which bypasses all privileges and policies.\n';
  expect(renderDevBanner({ ...FACTS, isSuperuser: true })).toContain(warning);
  expect(renderDevBanner({ ...FACTS, isSuperuser: true, role: 'anon' })).toContain('they run as the role anon.\n');
});

test('the banner suggests a request that returns rows', () => {
  const banner = renderDevBanner({ ...FACTS, example: "Ann's orders" });
  expect(banner).toContain("\n  curl 'http://localhost:3000/Ann%27s%20orders?limit=3'\n");
});

test('for the embedded database, the banner shows the data folder and how to load SQL', () => {
  const banner = renderDevBanner({ ...FACTS, dataFolder: '/home/me/data' });
  expect(banner).toContain(
    '\n  This is the embedded database; its data is in /home/me/data.\n  Run your own SQL: npx rowhouse sql FILE.sql\n',
  );
});

test('with the explorer, the banner has a link with the key to view the API as any role', () => {
  const banner = renderDevBanner({ ...FACTS, viewAsKey: 'k-e_y' });
  expect(banner).toContain(
    '  Explorer: open http://localhost:3000/#key=k-e_y\n  in a browser. With the key after #, it can show the API as each role sees it.\n',
  );
  expect(banner).not.toContain('open http://localhost:3000/ in');
  expect(renderDevBanner({ ...FACTS, viewAsKey: 'k-e_y', hasExplorer: false })).not.toContain('k-e_y');
});

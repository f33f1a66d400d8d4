import { expect, test } from 'vitest';
import { type DevFacts, renderDevBanner } from '../../src/cli/serve/dev-banner.ts';

const FACTS: DevFacts = {
  url: 'http://localhost:3000',
  database: 'shop',
  schemas: ['api', 'public'],
  role: 'clerk',
  login: 'clerk',
  isSuperuser: false,
  dataFolder: undefined,
  command: 'npx rowhouse',
};

test('says what is served, as whom, and that it is for no production', () => {
  expect(renderDevBanner(FACTS)).toBe(`
  Rowhouse serves the database shop (api, public) at http://localhost:3000, on this machine only.

  WARNING: requests need no token. Without one they act as the role clerk.
  Whatever runs on this machine can send them; web pages from elsewhere are refused. Not for production.

  curl 'http://localhost:3000/'

  Changes of the schema are picked up within a second or two. Ctrl-C ends it.
`);
});

test('a superuser is called one, unless another role answers', () => {
  const warning = 'they act as the role clerk, a superuser, whom no privilege and no policy stops.\n';
  expect(renderDevBanner({ ...FACTS, isSuperuser: true })).toContain(warning);
  expect(renderDevBanner({ ...FACTS, isSuperuser: true, role: 'anon' })).toContain('they act as the role anon.\n');
});

test('of the embedded database it says where it lies and how to fill it', () => {
  const banner = renderDevBanner({ ...FACTS, dataFolder: '/home/me/data' });
  expect(banner).toContain(
    '\n  It is the embedded one; its data lie in /home/me/data.\n  Your SQL in here: npx rowhouse sql FILE.sql\n',
  );
});

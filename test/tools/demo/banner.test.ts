import { expect, test } from 'vitest';
import { renderBanner, type BannerFacts } from '../../../tools/demo/banner.ts';

const FACTS: BannerFacts = {
  apiUrl: 'http://localhost:3000',
  hasExplorer: true,
  adminUrl: 'http://localhost:3001',
  userToken: 'aaa.bbb.ccc',
  adminUri: 'postgres://postgres:secret@127.0.0.1:5433/demo',
  database: 'demo',
  dataFolder: '/some/where',
  isNew: true,
  command: 'npx rowhouse',
};

test('the banner shows what is served, the addresses and the next steps', () => {
  const banner = renderBanner(FACTS);
  for (const text of [
    FACTS.apiUrl,
    'http://localhost:3001/ready',
    FACTS.adminUri,
    '  Explorer  http://localhost:3000/ in a browser\n',
    '/some/where (new)',
    'npx rowhouse sql FILE.sql',
    'npx rowhouse postgres://',
    'npx rowhouse dev ',
  ]) {
    expect(banner).toContain(text);
  }
  expect(banner.split('\n').filter((line) => line.trim().startsWith('curl '))).toHaveLength(4);
});

test('the banner uses the command with which the user can invoke the program', () => {
  const banner = renderBanner({ ...FACTS, command: 'rowhouse' });
  expect(banner).toContain('  Run your own SQL       rowhouse sql FILE.sql\n');
  expect(banner).not.toMatch(/npm|npx/u);
});

test('without a valid token, the banner explains how to create one', () => {
  const banner = renderBanner({ ...FACTS, userToken: undefined, database: 'todo' });
  expect(banner).toContain('\n\n  Create a token with your jwt-secret: npx rowhouse token --role NAME FILE\n\n');
  expect(banner).not.toContain('demo_user');
  expect(banner).not.toContain('undefined');
  expect(renderBanner({ ...FACTS, userToken: undefined })).toContain("'Authorization: Bearer $TOKEN'");
});

test('for a user’s own database, the banner does not mention demo data', () => {
  const banner = renderBanner({ ...FACTS, database: 'chinook', adminUrl: undefined, hasExplorer: false, isNew: false });
  expect(banner).toContain('the database chinook');
  expect(banner).toContain('/some/where (from an earlier run)');
  expect(banner).not.toContain('Admin');
  expect(banner).not.toContain('Explorer');
  expect(banner).not.toContain('/houses');
});

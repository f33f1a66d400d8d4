import { expect, test } from 'vitest';
import { renderBanner, type BannerFacts } from '../../src/embedded/banner.ts';

const FACTS: BannerFacts = {
  apiUrl: 'http://localhost:3000',
  adminUrl: 'http://localhost:3001',
  userToken: 'aaa.bbb.ccc',
  adminUri: 'postgres://postgres:secret@127.0.0.1:5433/demo',
  database: 'demo',
  dataFolder: '/some/where',
  isNew: true,
  command: 'npx rowhouse',
};

test('says what is served, where, and how to go on', () => {
  const banner = renderBanner(FACTS);
  for (const text of [
    FACTS.apiUrl,
    'http://localhost:3001/ready',
    FACTS.adminUri,
    '/some/where (new)',
    'npx rowhouse sql FILE.sql',
    'npx rowhouse postgres://',
    'npx rowhouse dev ',
  ]) {
    expect(banner).toContain(text);
  }
  expect(banner.split('\n').filter((line) => line.trim().startsWith('curl '))).toHaveLength(4);
});

test('names only commands that exist where it is read', () => {
  const banner = renderBanner({ ...FACTS, command: 'rowhouse' });
  expect(banner).toContain('  Your SQL in here       rowhouse sql FILE.sql\n');
  expect(banner).not.toMatch(/npm|npx/u);
});

test('shows no token that the server would refuse, and says how to get one', () => {
  const banner = renderBanner({ ...FACTS, userToken: undefined, database: 'todo' });
  expect(banner).toContain('\n\n  Tokens, signed with your jwt-secret: npx rowhouse token --role NAME FILE\n\n');
  expect(banner).not.toContain('demo_user');
  expect(banner).not.toContain('undefined');
  expect(renderBanner({ ...FACTS, userToken: undefined })).toContain("'Authorization: Bearer $TOKEN'");
});

test('promises nothing of the demo for a database of one’s own', () => {
  const banner = renderBanner({ ...FACTS, database: 'chinook', adminUrl: undefined, isNew: false });
  expect(banner).toContain('the database chinook');
  expect(banner).toContain('/some/where (as you left it)');
  expect(banner).not.toContain('Admin');
  expect(banner).not.toContain('/houses');
});

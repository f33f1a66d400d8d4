import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isNodeTooOld, OLDEST_NODE } from '../../../tools/command-line/check-node.ts';

test.each([
  ['18.20.4', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['20.20.2', false],
  ['22.0.0', false],
  ['100.1.0', false],
])('Node %s is too old: %s', (version, expected) => {
  expect(isNodeTooOld(version)).toBe(expected);
});

test('the oldest supported version matches `engines` in package.json', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ engines: { node: `>=${OLDEST_NODE}` } });
});

// The package as published.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import root from '../../../package.json' with { type: 'json' };
import live from '../../../packages/live/package.json' with { type: 'json' };
import manifest from '../../../packages/tanstack-db/package.json' with { type: 'json' };

test('B95 the peers are what the tests run on', () => {
  expect(manifest.peerDependencies).toEqual({
    '@rowhouse/live': '>=0.1.0 <1',
    '@tanstack/db': root.devDependencies['@tanstack/db'],
  });
  expect([manifest.version, live.version]).toEqual([root.version, root.version]);
});

test('of the client, only types are imported', () => {
  const folder = 'packages/tanstack-db/src';
  for (const file of readdirSync(folder)) {
    const imports = readFileSync(`${folder}/${file}`, 'utf8').match(/^import .*'@rowhouse\/live';$/gmu) ?? [];
    for (const line of imports) expect(line).toMatch(/^import type /u);
  }
});

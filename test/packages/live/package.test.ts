// The package as published: small, for browsers, with one dependency.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import root from '../../../package.json' with { type: 'json' };
import manifest from '../../../packages/live/package.json' with { type: 'json' };

test('B94 the client takes at most 5 kB, compressed, with its dependency', async () => {
  const bundle = await rolldown({ input: 'packages/live/src/index.ts', platform: 'browser' });
  const { output } = await bundle.generate({ minify: true, comments: false });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  expect(output[0].code).not.toMatch(/\bprocess\b|\bBuffer\b|node:/u);
  const { length } = brotliCompressSync(output[0].code, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  expect(length).toBeLessThanOrEqual(5000);
});

test('the dependency is the one that the tests run on', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['eventsource-parser']);
  expect(manifest.dependencies['eventsource-parser'].slice(1)).toBe(
    root.devDependencies['eventsource-parser'].slice(1),
  );
  expect(manifest.version).toBe(root.version);
});

test('no module of the client has state of its own', () => {
  const names = ['api', 'event-list', 'index', 'live', 'live-error', 'positions', 'rows', 'watched-read'];
  for (const name of names) expect(readFileSync(`packages/live/src/${name}.ts`, 'utf8')).not.toMatch(/^(?:let|var) /mu);
});

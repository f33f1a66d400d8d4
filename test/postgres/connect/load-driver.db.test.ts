// Side effects of loading the driver, in a fresh process.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../dist/src/postgres/connect/load-driver.js', import.meta.url).href;
const PROGRAM = `
  const before = 'navigator' in globalThis;
  const { loadDriver } = await import('${MODULE}');
  const { Client } = loadDriver();
  const isFetchLoaded = process.moduleLoadList.includes('NativeModule internal/deps/undici/undici');
  console.log(JSON.stringify([Client.name, 'navigator' in globalThis === before, isFetchLoaded]));`;

test('loading the driver neither loads fetch nor changes globals', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual(['Client', true, false]);
});

// What the driver's loading leaves behind, in a process that has done nothing else.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../dist/postgres/connect/load-driver.js', import.meta.url).href;
const PROGRAM = `
  const before = 'navigator' in globalThis;
  const { loadDriver } = await import('${MODULE}');
  const { Client } = loadDriver();
  const isFetchLoaded = process.moduleLoadList.includes('NativeModule internal/deps/undici/undici');
  console.log(JSON.stringify([Client.name, 'navigator' in globalThis === before, isFetchLoaded]));`;

test('the driver is loaded without fetch, and globals are as before', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual(['Client', true, false]);
});

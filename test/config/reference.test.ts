import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { OPTIONS, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import { renderReference } from '../../tools/inspect/reference.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';

test('docs/configuration.md matches the output of `npm run docs -- config`', async () => {
  const file = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  expect(file).toBe(renderReference(SVC_DIALECT));
});

test('every option has exactly one row', () => {
  const names = [...renderReference(SVC_DIALECT).matchAll(/^\| `([^`]+)`/gmu)].map(([, name]) => name);
  expect(names).toHaveLength(PUBLIC_OPTION_KEYS.length);
  expect(new Set(names)).toStrictEqual(new Set(PUBLIC_OPTION_KEYS.map((key) => OPTIONS[key].name)));
});

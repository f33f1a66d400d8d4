import { expect, test } from 'vitest';
import type { CatalogRow } from '../../src/catalog/catalog-rows.ts';
import { buildSchemaCacheInSlices } from '../../src/catalog/decode.ts';
import { NO_ROWS } from '../../tools/api-diff/load-api.ts';

test('a large catalog is decoded in slices of a few items', () => {
  const columns = Array.from({ length: 20_000 }, (_, at): CatalogRow => {
    return [
      String(Math.floor(at / 10)),
      String((at % 10) + 1),
      `c${at % 10}`,
      null,
      'true',
      'text',
      'text',
      null,
      null,
      null,
    ];
  });
  const relations = Array.from({ length: 2000 }, (_, at): CatalogRow => [String(at), 'api', `t${at}`, 'r', null, null]);
  const slices = buildSchemaCacheInSlices({ ...NO_ROWS, relations, columns });
  let count = 1;
  let step = slices.next();
  for (; step.done !== true; step = slices.next()) count += 1;
  expect(count).toBeGreaterThan(1500);
  expect(step.value.relations.get('api')?.get('t1999')?.columns.size).toBe(10);
});

import { expect, test } from 'vitest';
import { OPTIONS } from '../../../src/config/table/options.ts';
import { suggestDatabase } from '../../../tools/support/configuration.ts';

const dbUri = OPTIONS.dbUri.default;

test('only a configuration that names no database gets the way to name one', () => {
  expect(suggestDatabase('rowhouse doctor', { dbUri }, { environment: {} })).toBe(
    '. No option names a database: run rowhouse doctor postgres://USER@HOST/DATABASE',
  );
  expect(suggestDatabase('rowhouse doctor', { dbUri }, { environment: { PGHOST: 'db' } })).toBe('');
  expect(suggestDatabase('rowhouse doctor', { dbUri: 'postgres://db/shop' }, { environment: {} })).toBe('');
});

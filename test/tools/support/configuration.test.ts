import { expect, test } from 'vitest';
import { OPTIONS } from '../../../src/config/table/options.ts';
import { suggestDatabase } from '../../../tools/support/configuration.ts';

const DOCTOR = 'rowhouse doctor';
const dbUri = OPTIONS.dbUri.default;

test('only a configuration that names no database gets the way to name one', () => {
  expect(suggestDatabase(DOCTOR, undefined, { dbUri }, { environment: {} })).toBe(
    '. No option names a database: run rowhouse doctor postgres://USER@HOST/DATABASE',
  );
  const alternative = 'rowhouse check for the SQL files of this folder';
  expect(suggestDatabase(DOCTOR, alternative, { dbUri }, { environment: {} })).toBe(
    `. No option names a database: run rowhouse doctor postgres://USER@HOST/DATABASE, or ${alternative}`,
  );
  expect(suggestDatabase(DOCTOR, undefined, { dbUri }, { environment: { PGHOST: 'db' } })).toBe('');
  expect(suggestDatabase(DOCTOR, undefined, { dbUri: 'postgres://db/shop' }, { environment: {} })).toBe('');
});

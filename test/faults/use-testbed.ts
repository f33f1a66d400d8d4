// Opens a testbed for the tests of one file: empties its ledger before each test and prints the recovery times at the
// end.
import { afterAll, beforeEach } from 'vitest';
import { printRecoveries } from './recovery-times.ts';
import { type StageOptions, Testbed } from './testbed.ts';

export async function useTestbed(options?: StageOptions): Promise<Testbed> {
  const testbed = await Testbed.open(options);
  beforeEach(() => testbed.sql('truncate api.ledger'));
  afterAll(async () => {
    await testbed.close();
    printRecoveries();
  });
  return testbed;
}

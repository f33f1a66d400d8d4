// Runs the tests of the server once more with workers: `ROWHOUSE_TEST_WORKERS=2`.

/** How many processes answer requests in the tests that do not say so themselves. */
export const WORKERS: number = Number(process.env['ROWHOUSE_TEST_WORKERS'] ?? 1);

/** By the names of the configuration. */
export function workerOptions(): Readonly<Record<string, number>> {
  return WORKERS === 1 ? {} : { 'server-workers': WORKERS };
}

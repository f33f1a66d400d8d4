// Runs the server tests with workers: `ROWHOUSE_TEST_WORKERS=2`.

/** Number of worker processes in tests that do not set it themselves. */
export const WORKERS: number = Number(process.env['ROWHOUSE_TEST_WORKERS'] ?? 1);

/** Options by their configuration names. */
export function workerOptions(): Readonly<Record<string, number>> {
  return { 'server-workers': WORKERS };
}

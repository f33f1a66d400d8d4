// Ends what a test or a test file has started, the latest first.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

type Started = { stop(): unknown } | { drop(): unknown } | { close(): unknown } | { end(): unknown };

/**
 * Ends what has started after the test that calls it; at the top of a file or a group, after its last test:
 * `const server = await use(startLocalServer(harbor));`
 */
export async function use<T extends Started>(starting: T | Promise<T>): Promise<T> {
  const started = await starting;
  whenOver(() => {
    if ('stop' in started) return started.stop();
    if ('drop' in started) return started.drop();
    return 'close' in started ? started.close() : started.end();
  });
  return started;
}

/** Runs `end` after the test, or after the last test of the file or the group, in the reverse order of the calls. */
export function whenOver(end: () => unknown): void {
  const register = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  register(async () => {
    await end();
  });
}

/** Creates an empty folder, which is removed after the test or the file. */
export function useFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-test-'));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o711);
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

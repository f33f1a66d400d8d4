// Ends what a test file has started, after its last test: the latest first.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

type Started = { stop(): unknown } | { drop(): unknown } | { close(): unknown } | { end(): unknown };

/** Call it at the top of the file: `const server = await use(startLocalServer(harbor));` */
export async function use<T extends Started>(starting: T | Promise<T>): Promise<T> {
  const started = await starting;
  afterAll(async () => {
    if ('stop' in started) await started.stop();
    else if ('drop' in started) await started.drop();
    else if ('close' in started) await started.close();
    else await started.end();
  });
  return started;
}

/** Creates an empty folder, which is removed after the last test. */
export function useFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

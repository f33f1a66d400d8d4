// A running `rowhouse dev DIR`: saves files, and waits for what the program prints about them.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { sendRequest } from '../../support/local-server.ts';
import { spawnServer, type Spawned } from '../../support/spawned-server.ts';
import { findFreePort } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';
import { writeFiles } from './folder.ts';

export interface StartedDev {
  readonly program: Spawned;
  readonly port: number;
  /** Writes files, and waits for a report about them. @returns what was printed since */
  save(files: Readonly<Record<string, string>>): Promise<string>;
  remove(file: string): Promise<string>;
  /** Changes files in another way, and waits for a report. */
  report(change: () => void): Promise<string>;
  /** Waits until the program has printed the text since the last save. */
  printed(text: string | RegExp): Promise<string>;
  get(path: string): Promise<Reply>;
  post(path: string, json: string): Promise<Reply>;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** The end of a report: what has changed and in what time, or why nothing has. */
const REPORT = /, \d+\.\d\d s\n|stays in use\.\n|Nothing of this save was applied|^Not applied: /mu;

/** @returns a function that starts the program, which is killed after the file */
export function useDev(): (folder: string, ...args: readonly string[]) => Promise<StartedDev> {
  const programs: Spawned[] = [];
  afterAll(() => {
    for (const program of programs) program.kill();
  });
  return async (folder, ...args) => {
    const port = await findFreePort();
    const program = spawnServer(['dev', folder, '--server-port', String(port), ...args]);
    programs.push(program);
    await until(() => program.stdout().includes('Ctrl-C'), {
      seconds: 120,
      why: () => program.stdout() + program.stderr(),
    });
    return createDev(program, folder, port);
  };
}

function createDev(program: Spawned, folder: string, port: number): StartedDev {
  let seen = program.stdout().length;
  const since = (): string => program.stdout().slice(seen);
  const printed = async (text: string | RegExp): Promise<string> => {
    const isThere = (): boolean => (typeof text === 'string' ? since().includes(text) : text.test(since()));
    await until(isThere, { seconds: 60, why: () => `${String(text)} in\n${since()}\n${program.stderr()}` });
    return since();
  };
  const report = async (change: () => void): Promise<string> => {
    seen = program.stdout().length;
    change();
    return printed(REPORT);
  };
  return {
    program,
    port,
    printed,
    report,
    save: (files) => report(() => writeFiles(folder, files)),
    remove: (file) => report(() => rmSync(path.join(folder, file))),
    get: (target) => sendRequest({ host: '127.0.0.1', port, path: target }),
    post: (target, body) =>
      sendRequest(
        { host: '127.0.0.1', port, path: target },
        { method: 'POST', headers: { 'Content-Type': 'application/json' }, body },
      ),
  };
}

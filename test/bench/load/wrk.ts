// The load by wrk, a program in C, where it is installed: it leaves more of the processors to what is measured than one in
// JavaScript can.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Load, LoadOrder, LoadResult } from './run-load.ts';

/** What wrk writes last: requests, microseconds, failures, and the latencies in microseconds. */
const RESULT = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/mu;

export function findWrk(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, 'wrk')).find((file) => existsSync(file));
}

export class WrkLoad implements Load {
  readonly #program: string;
  readonly #folder: string = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-wrk-'));

  constructor(program: string) {
    this.#program = program;
  }

  async run({ port, connections, requests, milliseconds }: LoadOrder): Promise<LoadResult> {
    const script = path.join(this.#folder, 'requests.lua');
    writeFileSync(script, renderScript(requests));
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    const amount = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`];
    const words = [...amount, '--script', script, `http://127.0.0.1:${port}/`];
    const { stdout } = await promisify(execFile)(this.#program, words, { timeout: (seconds + 20) * 1000 });
    const [, count, duration, failures, p50, p99] = (RESULT.exec(stdout) ?? []).map(Number);
    if (count === undefined || duration === undefined || p50 === undefined || p99 === undefined)
      throw new Error(`wrk did not say how it went: ${stdout}`);
    if (failures !== 0) throw new Error(`${failures} of ${count} answers were errors`);
    return { count, failures, milliseconds: duration / 1000, p50: p50 / 1000, p99: p99 / 1000 };
  }

  stop(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** JSON's strings are Lua's where they are ASCII. */
function renderScript(requests: readonly string[]): string {
  return `local requests = { ${requests.map((request) => JSON.stringify(request)).join(', ')} }
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, failures,
    latency:percentile(50), latency:percentile(99)))
end
`;
}

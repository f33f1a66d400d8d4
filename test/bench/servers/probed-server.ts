// Runs the built server in a separate process, with the probe loaded, over the generated schema.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../support/server-process.ts';
import { READER, SCHEMA } from '../generate-schema.ts';
import type { ProbeReport } from './process-probe.ts';

const READY_TIMEOUT = 120_000;
const LOADED = /Schema cache (queried|loaded) in ([\d.]+) milliseconds/gu;

export interface CacheLoad {
  /** In milliseconds. */
  readonly queryTime: number;
  readonly buildTime: number;
}

export class ProbedServer {
  readonly port: number;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    child.stderr?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
  }

  static async start(databaseUri: string): Promise<ProbedServer> {
    const port = await findFreePort();
    const probe = fileURLToPath(new URL('process-probe.js', import.meta.url));
    const child = spawn(process.execPath, ['--import', probe, path.resolve('dist/cli/main.js')], {
      env: {
        PATH: process.env['PATH'],
        SVC_DB_URI: databaseUri,
        SVC_DB_SCHEMAS: SCHEMA,
        SVC_DB_ANON_ROLE: READER,
        SVC_SERVER_HOST: '127.0.0.1',
        SVC_SERVER_PORT: String(port),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const server = new ProbedServer(child, port);
    await server.awaitLoads(1);
    return server;
  }

  /** Loads of the schema cache so far. */
  get loads(): readonly CacheLoad[] {
    const times = [...this.#log.matchAll(LOADED)].map(([, kind, time]) => ({ kind, time: Number(time) }));
    const queries = times.filter(({ kind }) => kind === 'queried');
    const builds = times.filter(({ kind }) => kind === 'loaded');
    return builds.map(({ time }, index) => ({ queryTime: queries[index]?.time ?? NaN, buildTime: time }));
  }

  async awaitLoads(count: number): Promise<void> {
    const end = Date.now() + READY_TIMEOUT;
    while (this.loads.length < count) {
      if (Date.now() > end || this.#child.exitCode !== null) throw new Error(`no schema cache:\n${this.#log}`);
      await setTimeout(20);
    }
  }

  /** Values since the last report. */
  async probe(): Promise<ProbeReport> {
    this.#child.send('report');
    const [report] = (await once(this.#child, 'message')) as [ProbeReport];
    return report;
  }

  /** Peak memory since the start in bytes. */
  get peak(): number {
    const status = readFileSync(`/proc/${this.#child.pid ?? 0}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1]) * 1024;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}

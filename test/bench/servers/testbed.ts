// Starts and stops the database, the load generator and the subjects of a measurement.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { asksForRows, type BenchCase } from '../bench-case.ts';
import { type BenchDatabase, startBenchDatabase } from './bench-database.ts';
import { startBenchServer } from './bench-server.ts';
import { captureScript, loadContext } from '../capture-script.ts';
import { startHandwrittenEndpoint } from './handwritten-server.ts';
import { startServerBeside } from './server-beside.ts';
import type { MeasureOptions } from '../measure.ts';
import { findPgbench, type PgbenchScript, writePgbenchScript } from './pgbench.ts';
import { LoadGenerator } from '../load/run-load.ts';
import { WrkLoad } from '../load/wrk.ts';
import { createPgbenchSubject, createServerSubject, type Subject } from './subject.ts';

export interface Testbed {
  readonly database: BenchDatabase;
  /** The measured server is first. */
  readonly subjects: readonly Subject[];
  stop(): Promise<void>;
}

/** A number that no case uses as its key. */
const SAMPLE_KEY = 987_654_321;

export async function startTestbed(options: MeasureOptions): Promise<Testbed> {
  const database = await startBenchDatabase(options);
  const ends = [(): Promise<void> => database.stop()];
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const subjects = await startSubjects(options, database, ends);
    return { database, subjects, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startSubjects(
  { cases, profileFolder, baseFolder, processes, besideCommand, environment, isOverSocket, wrk }: MeasureOptions,
  database: BenchDatabase,
  ends: (() => Promise<void>)[],
): Promise<readonly Subject[]> {
  const ownLoad = new LoadGenerator();
  ends.push(async () => ownLoad.stop());
  const load = wrk === undefined ? ownLoad : new WrkLoad(wrk);
  ends.push(async () => load.stop());
  const surroundings = { database, load, ownLoad };
  const uri = isOverSocket ? database.socketUri : database.uri;
  if (uri === undefined) throw new Error('the database has no socket');
  const subjects: Subject[] = [];
  const start = async (
    name: string,
    process: number,
    [from, options]: Parameters<typeof startBenchServer>,
  ): Promise<void> => {
    const server = await startBenchServer(from, options);
    ends.push(() => server.stop());
    subjects.push(createServerSubject({ name, process }, server, surroundings));
  };
  const main = path.resolve(baseFolder ?? '', 'dist/cli/main.js');
  for (let process = 0; process < processes; process += 1) {
    await start('this', process, [uri, { profileFolder: process === 0 ? profileFolder : undefined, environment }]);
    if (baseFolder !== undefined) await start('base', process, [database.uri, { main }]);
  }
  if (besideCommand !== undefined) {
    const beside = await startServerBeside(besideCommand, database.uri);
    ends.push(() => beside.stop());
    subjects.push(createServerSubject({ name: 'beside', process: 0 }, beside, surroundings));
  }
  const pgbench = findPgbench();
  if (pgbench !== undefined) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-bench-'));
    ends.push(async () => rmSync(folder, { recursive: true, force: true }));
    subjects.push(createPgbenchSubject(pgbench, await writeScripts(cases, database, folder), database));
  }
  for (const mode of ['plain', 'transaction'] as const) {
    const endpoint = await startHandwrittenEndpoint(database.uri, mode);
    ends.push(() => endpoint.stop());
    const name = mode === 'plain' ? 'Fastify, pg' : 'Fastify, pg, role';
    subjects.push(
      createServerSubject({ name, process: 0 }, endpoint, surroundings, ({ handwrittenTarget }) => handwrittenTarget),
    );
  }
  return subjects;
}

/** Writes the scripts of the cases that pgbench supports: neither slow requests nor descriptions. */
async function writeScripts(
  cases: readonly BenchCase[],
  database: BenchDatabase,
  folder: string,
): Promise<ReadonlyMap<BenchCase, PgbenchScript>> {
  const context = await loadContext(database.uri);
  const scripts = new Map<BenchCase, PgbenchScript>();
  for (const bench of cases.filter((each) => each.slowTarget === undefined && asksForRows(each))) {
    const script = await captureScript(bench, SAMPLE_KEY, context);
    const file = path.join(folder, `${scripts.size}.sql`);
    scripts.set(bench, writePgbenchScript(file, script, { sample: SAMPLE_KEY, max: bench.keys }));
  }
  return scripts;
}

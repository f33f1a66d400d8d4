// Converts a transaction of the server to a script for pgbench, PostgreSQL's own load generator, and runs it.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ParameterValue, Statement } from '../../../src/contract/transaction.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';

export interface PgbenchScript {
  readonly file: string;
  /** Options that set the parameters with constant values. */
  readonly variables: readonly string[];
}

export interface PgbenchRun {
  readonly program: string;
  readonly databaseUri: string;
  readonly script: PgbenchScript;
  readonly clients: number;
  readonly seconds: number;
}

export interface PgbenchResult {
  readonly count: number;
  /** Transactions per second. */
  readonly rate: number;
}

export interface Keys {
  /** The parameter that represents the key in the script. */
  readonly sample: number;
  readonly max: number;
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';

export function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).sort().reverse() : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...versions.map((version) => `${DEBIAN_FOLDER}/${version}/bin`),
  ];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file));
}

/** Uses a pipeline, which is one implicit transaction, like the server. */
export function writePgbenchScript(file: string, script: TransactionScript, keys: Keys): PgbenchScript {
  const statements = [script.segments[0].settings, script.segments[0].main];
  const lines = statements.map((statement, index) => `${renderStatement(statement, index, keys)};\n`);
  const text = `\\set key random(1, ${keys.max})\n\\startpipeline\n${lines.join('')}\\endpipeline\n`;
  writeFileSync(file, text);
  const variables = statements.flatMap(({ parameters }, index) =>
    parameters.map((value, position) => `--define=${variableName(index, position)}=${textOf(value)}`),
  );
  return { file, variables };
}

export async function runPgbench(run: PgbenchRun): Promise<PgbenchResult> {
  const { hostname, port, username, pathname } = new URL(run.databaseUri);
  const connection = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  const load = ['-n', '-M', 'prepared', '-c', String(run.clients), '-T', String(run.seconds), '-f', run.script.file];
  const { stdout } = await promisify(execFile)(run.program, [...load, ...run.script.variables, ...connection], {
    env: { PATH: process.env['PATH'] },
    timeout: (run.seconds + 20) * 1000,
  });
  const count = /^number of transactions actually processed: (\d+)/mu.exec(stdout)?.[1];
  const rate = /^tps = ([\d.]+)/mu.exec(stdout)?.[1];
  if (count === undefined || rate === undefined) throw new Error(`no result from pgbench: ${stdout}`);
  return { count: Number(count), rate: Number(rate) };
}

function renderStatement({ text, parameters }: Statement, index: number, { sample }: Keys): string {
  return text.replaceAll(/\$(\d+)/gu, (_, number: string) => {
    const position = Number(number) - 1;
    const isKey = textOf(parameters[position] ?? null) === String(sample);
    return isKey ? ':key' : `:${variableName(index, position)}`;
  });
}

function variableName(statement: number, position: number): string {
  return `s${statement}p${position}`;
}

function textOf(value: ParameterValue): string {
  if (value === null || (typeof value === 'object' && 'kind' in value))
    throw new Error('pgbench cannot send null or binary parameters');
  return typeof value === 'string' ? value : Buffer.concat(value).toString();
}

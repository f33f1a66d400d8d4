// Notes which relations and functions the requests of a test name, while `rowhouse check --mutate` asks for it.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpRequest } from '../../../src/contract/http.ts';
import { ok } from '../../../src/contract/result.ts';
import type { ScriptRunner } from '../../../src/postgres/pool/pool.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import type { MutationRun, Use } from '../cluster/mutation-run.ts';

export type NoteUse = (use: Omit<Use, 'test'>) => void;

/** Called by the function that a test calls, to begin the notes of that test. */
export type UseLog = () => NoteUse;

/** @returns undefined if nobody wants to know */
export function createUseLog(run: MutationRun | undefined): UseLog | undefined {
  const { root = '', usesFile } = run ?? {};
  if (typeof usesFile !== 'string') return undefined;
  const noted = new Set<string>();
  return () => {
    const test = locateCaller(root);
    return (use) => {
      const line = `${JSON.stringify({ ...use, test } satisfies Use)}\n`;
      if (noted.has(line)) return;
      noted.add(line);
      appendFileSync(usesFile, line);
    };
  };
}

const FRAME = /(?:\(|\bat (?:async )?)(?<file>[^()]+?)(?:\?[^():]*)?:(?<line>\d+):\d+\)?$/u;

/** Returns the innermost place of the call that is part of the project, and no dependency of it. */
function locateCaller(root: string): string {
  for (const frame of new Error('Only its stack is read.').stack?.split('\n') ?? []) {
    const { file = '', line = '' } = FRAME.exec(frame)?.groups ?? {};
    const place = path.relative(root, file.startsWith('file:') ? fileURLToPath(file) : file);
    if (path.isAbsolute(file.replace(/^file:\/\//u, '')) && isOwn(place)) return `${place}:${line}`;
  }
  return path.relative(root, process.argv[1] ?? root);
}

function isOwn(place: string): boolean {
  const parts = place.split(path.sep);
  return parts[0] !== '..' && !path.isAbsolute(place) && !parts.includes('node_modules');
}

type Runner = Pick<ScriptRunner, 'runScript'>;

/** @param note undefined: returns the runner itself */
export function noteScripts(runner: Runner, note: NoteUse | undefined): Runner {
  if (note === undefined) return runner;
  return { runScript: (script, signal) => runner.runScript(noteParts(script, note), signal) };
}

const QUALIFIED = /"(?<schema>(?:[^"]|"")+)"\."(?<name>(?:[^"]|"")+)"/gu;

/** Takes any pair of names: who reads the notes looks for relations that exist. */
function noteParts(script: TransactionScript, note: NoteUse): TransactionScript {
  const { role, segments, continue: proceed } = script;
  for (const { main } of segments)
    for (const { groups } of main.text.matchAll(QUALIFIED))
      note({ role, schema: unquote(groups?.['schema']), name: unquote(groups?.['name']) });
  if (proceed === undefined) return script;
  return {
    ...script,
    continue: async (results) => {
      const next = await proceed(results);
      return next.ok && next.value !== undefined ? ok(noteParts(next.value, note)) : next;
    },
  };
}

function unquote(name: string | undefined): string {
  return name?.replaceAll('""', '"') ?? '';
}

/** Notes what the path of a request names; its embeds are unknown. */
export function noteRequest(
  { path: requested, headers, mount }: HttpRequest,
  { dbSchemas, dbAnonRole }: { readonly dbSchemas: readonly string[]; readonly dbAnonRole: string | undefined },
  note: NoteUse,
): void {
  const [, first = '', second = ''] = requested.split('/').map(decodeURIComponent);
  const session = mount?.session;
  const hasToken = headers.some(([name]) => name === 'authorization');
  const role = typeof session === 'object' ? session.role : hasToken ? null : (dbAnonRole ?? null);
  for (const schema of dbSchemas) note({ role, schema, name: first === 'rpc' ? second : first });
}

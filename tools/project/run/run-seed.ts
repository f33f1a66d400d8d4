// Runs the files of `seed/` in one transaction (`project.md` §1 item 4): statements, inline `COPY … FROM stdin`, and the
// psql commands `\copy`, `\i` and `\ir`.
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import type { Client, ClientBase } from 'pg';
import { copyFrom } from '../../embedded/script/copy-from.ts';
import { type Problem, problemOf, renderProblem } from '../folder/problem.ts';
import { type Project, readSource } from '../folder/read-project.ts';
import { TRANSACTION, TRANSACTION_STATEMENT } from './refuse-statement.ts';
import { locateError, refuse, splitFile, type Statement } from './statement.ts';

/** Files that include each other would never end. */
const MAX_DEPTH = 16;
const INLINE = String.raw`Write the rows to a file, or below "copy TABLE from stdin;" up to a line with \.`;
const BAD_COPY = String.raw`write \copy TABLE from 'FILE' csv header`;

/**
 * @param first runs before the files, in the same transaction
 * @returns what is wrong; nothing has been changed then
 */
export async function runSeeds(
  client: ClientBase,
  project: Pick<Project, 'root' | 'seeds'>,
  first = '',
): Promise<Problem | undefined> {
  const run = new SeedRun(client, project.root);
  await client.query(`begin; ${first}`);
  for (const seed of project.seeds) {
    const problem = await run.runFile(seed, 0);
    if (problem === undefined) continue;
    await client.query('rollback');
    return problem;
  }
  await client.query('commit');
  return undefined;
}

/** @param again when the files run next */
export function renderSeedFailure(problem: Problem, again: string): string {
  return `${renderProblem(problem)}\nThe rows are as before. ${again}`;
}

class SeedRun {
  readonly #client: ClientBase;
  readonly #root: string;

  constructor(client: ClientBase, root: string) {
    this.#client = client;
    this.#root = root;
  }

  /** @param file relative to the project */
  async runFile(file: string, depth: number): Promise<Problem | undefined> {
    if (depth > MAX_DEPTH) return problemOf(file, 'files include each other without end');
    const source = await readSource(this.#root, file);
    if (!source.ok) return source.error;
    for (const statement of splitFile(source.value)) {
      const problem = await this.#run(statement, depth);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  async #run(statement: Statement, depth: number): Promise<Problem | undefined> {
    const { part } = statement;
    if (part.kind === 'statement' && TRANSACTION_STATEMENT.test(part.text))
      return refuse(statement, TRANSACTION.message, TRANSACTION.hint);
    try {
      if (part.kind === 'statement') await this.#client.query(part.text);
      else if (part.kind === 'copy') await copyFrom(this.#client, part.text, [Buffer.from(part.data)]);
      else if (part.kind === 'connect') return refuse(statement, String.raw`\connect does not run in seed/`);
      else return await this.#runCommand(statement, part.command, depth);
      return undefined;
    } catch (error) {
      return locateError(statement, error);
    }
  }

  async #runCommand(statement: Statement, command: string, depth: number): Promise<Problem | undefined> {
    const folder = path.posix.dirname(statement.file.path);
    const [line = ''] = /^.*/u.exec(statement.file.text.slice(statement.part.start)) ?? [];
    const operand = line.slice(command.length).trim().replace(/;$/u, '');
    if (command === '\\copy') return this.#copy(statement, operand, folder);
    if (command !== '\\i' && command !== '\\ir') {
      const known = String.raw`Of psql's commands, only \copy, \i and \ir run here.`;
      return refuse(statement, `${command} is not supported`, known);
    }
    const name = unquote(operand);
    const file = command === '\\ir' ? path.posix.join(folder, name) : path.posix.normalize(name);
    if (!existsSync(path.join(this.#root, file))) return refuse(statement, `there is no file ${file}`);
    return this.runFile(file, depth + 1);
  }

  async #copy(statement: Statement, operand: string, folder: string): Promise<Problem | undefined> {
    const parts = /^(?<target>[^']*?\bfrom)\s+(?<file>'(?:[^']|'')*'|[^\s']+)(?<options>[^]*)$/iu.exec(operand)?.groups;
    const { target, file: quoted, options = '' } = parts ?? {};
    if (target === undefined || quoted === undefined) return refuse(statement, 'the command is incomplete', BAD_COPY);
    if (/^(?:p?stdin|program)$/iu.test(quoted))
      return refuse(statement, String.raw`\copy from ${quoted} does not run in seed/`, INLINE);
    const name = path.posix.join(folder, unquote(quoted));
    const file = path.join(this.#root, name);
    if (!existsSync(file)) return refuse(statement, `there is no file ${name}`);
    await copyFrom(this.#client, `copy ${target} stdin${options}`, readChunks(file));
    return undefined;
  }
}

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file)) if (chunk instanceof Buffer) yield chunk;
}

function unquote(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/** The tables of the user, as quoted names. */
const USER_TABLES = `select class.oid::regclass::text as name from pg_catalog.pg_class as class
join pg_catalog.pg_namespace as namespace on namespace.oid = class.relnamespace
where class.relkind in ('r', 'p') and not class.relispartition
  and nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse')
  and not exists (select from pg_catalog.pg_depend where objid = class.oid and deptype = 'e')`;

/**
 * Empties the tables of the development database and fills them again.
 *
 * @param mayEmpty whether this many tables may be emptied
 * @returns what to report
 */
export async function reseed(
  dev: Client,
  project: Project,
  mayEmpty: (tables: number) => Promise<boolean>,
): Promise<string> {
  const { rows } = await dev.query<{ name: string }>(USER_TABLES);
  if (!(await mayEmpty(rows.length))) return 'Not reseeded: pass --allow-loss too, or answer y on a terminal.';
  const names = rows.map(({ name }) => name);
  const first = names.length === 0 ? '' : `truncate ${names.join(', ')} restart identity cascade`;
  const problem = await runSeeds(dev, project, first);
  return problem === undefined
    ? 'The tables are filled from seed/.'
    : renderSeedFailure(problem, 'Start with --reseed again.');
}

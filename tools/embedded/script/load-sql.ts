// Runs an SQL script like psql, and returns the databases it changed. Each section between two `\c` commands is one
// transaction, apart from statements that cannot run in one.
import { readFile } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { EmbeddedError } from '../cluster/embedded-error.ts';
import { copyFrom } from './copy-from.ts';
import { splitScript, type ScriptPart } from '../../console/split-script.ts';
import { databaseOf, withConnection, withDatabase } from './sql-session.ts';
import { escapeLine } from '../../../src/observe/escape-text.ts';

export interface LoadedSql {
  readonly statements: number;
  /** Databases in which a statement ran, other than those that create or drop databases; in order. */
  readonly databases: readonly string[];
}

/** Receives progress and results while the script runs. */
export interface SqlObserver {
  /** Called before each statement. @param index counts from 1 */
  onStatement(index: number, total: number): void;
  onRows(rows: RowSet): void;
}

interface DatabaseSection {
  readonly database: string;
  readonly parts: readonly ScriptPart[];
}

const SILENT: SqlObserver = { onStatement: () => undefined, onRows: () => undefined };

/** PostgreSQL rejects these inside a transaction. */
const NON_TRANSACTIONAL =
  /^((create|drop)\s+(database|tablespace)|alter\s+system|vacuum|(create(\s+unique)?|drop)\s+index\s+concurrently)\b/i;
const OBJECT_IN_USE = '55006';
const DATABASE_STATEMENT = /^(create|drop|alter)\s+database\b/i;

/** Supports `\c`, `COPY … FROM stdin` and the output of pg_dump. Rejects scripts with other psql commands up front. */
export async function loadSqlFile(
  uri: string,
  file: string,
  observer: SqlObserver = SILENT,
): Promise<Result<LoadedSql, EmbeddedError>> {
  const text = await readScript(file);
  if (!text.ok) return text;
  try {
    return await loadSqlText(uri, file, observer, text.value);
  } catch (error) {
    return fail({ kind: 'sqlFailed', source: file, details: describe(error) });
  }
}

async function readScript(file: string): Promise<Result<string, EmbeddedError>> {
  try {
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    // Only the system's message, because the file name already precedes it.
    const number: unknown = error instanceof Error ? Reflect.get(error, 'errno') : undefined;
    const known = typeof number === 'number' ? getSystemErrorMap().get(number) : undefined;
    return fail({ kind: 'sqlFailed', source: file, details: known?.[1] ?? describe(error) });
  }
}

async function loadSqlText(
  uri: string,
  file: string,
  observer: SqlObserver,
  text: string,
): Promise<Result<LoadedSql, EmbeddedError>> {
  const parts = splitScript(text.replace(/^\uFEFF/, ''));
  const foreign = parts.find((part) => part.kind === 'unsupported');
  if (foreign !== undefined) {
    const details = `the psql command ${foreign.command} is not supported`;
    return fail({ kind: 'sqlFailed', source: `${file}, line ${foreign.line}`, details });
  }
  const sections = splitByDatabase(uri, parts);
  const statements = parts.filter(isRun).length;
  const run = new ScriptRun(statements, observer);
  for (const { database, parts } of sections) {
    const failure = await withConnection(withDatabase(uri, database), (client) => run.runParts(client, parts));
    if (failure !== undefined) {
      return fail({ kind: 'sqlFailed', source: `${file}, line ${failure.line}`, details: describe(failure.cause) });
    }
  }
  const filled = sections
    .filter(({ parts }) => parts.some((part) => !isDatabaseWork(part)))
    .map(({ database }) => database);
  return ok({ statements, databases: [...new Set(filled)] });
}

function splitByDatabase(uri: string, parts: readonly ScriptPart[]): readonly DatabaseSection[] {
  const sections: { database: string; parts: ScriptPart[] }[] = [{ database: databaseOf(uri), parts: [] }];
  for (const part of parts) {
    if (part.kind === 'connect') sections.push({ database: part.database, parts: [] });
    else sections.at(-1)?.parts.push(part);
  }
  return sections.filter(({ parts }) => parts.length > 0);
}

interface Failure {
  readonly line: number;
  readonly cause: unknown;
}

/** Runs the sections of a file and counts statements across all of them. */
class ScriptRun {
  readonly #total: number;
  readonly #observer: SqlObserver;
  #count = 0;

  constructor(total: number, observer: SqlObserver) {
    this.#total = total;
    this.#observer = observer;
  }

  async runParts(client: Client, parts: readonly ScriptPart[]): Promise<Failure | undefined> {
    await client.query('begin');
    for (const part of parts) {
      if (isRun(part)) this.#observer.onStatement(++this.#count, this.#total);
      try {
        await this.#runPart(client, part);
      } catch (cause) {
        return { line: part.line, cause };
      }
    }
    await client.query('commit');
    return undefined;
  }

  async #runPart(client: Client, part: ScriptPart): Promise<void> {
    if (part.kind === 'copy') {
      await copyFrom(client, part.text, [Buffer.from(part.data)]);
    } else if (part.kind === 'statement' && NON_TRANSACTIONAL.test(part.text)) {
      await client.query('commit');
      await client.query(part.text);
      await client.query('begin');
    } else if (part.kind === 'statement') {
      const { fields, rows } = await client.query<(string | null)[]>({
        text: part.text,
        rowMode: 'array',
        types: AS_TEXT,
      });
      if (fields.length > 0) this.#observer.onRows({ columns: fields.map(({ name }) => name), rows });
    }
  }
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

function isRun(part: ScriptPart): boolean {
  return part.kind === 'statement' || part.kind === 'copy';
}

function isDatabaseWork(part: ScriptPart): boolean {
  return part.kind === 'statement' && DATABASE_STATEMENT.test(part.text);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (Reflect.get(error, 'code') === OBJECT_IN_USE && error.message.includes('currently open'))
    return `${error.message} (the file makes a database of its own: load it without --database)`;
  const detail: unknown = Reflect.get(error, 'detail');
  return typeof detail === 'string' ? `${error.message} (${detail})` : error.message;
}

interface RowSet {
  readonly columns: readonly string[];
  /** Values in text format. */
  readonly rows: readonly (readonly (string | null)[])[];
}

const MAX_ROWS = 100;
const MAX_CELL_WIDTH = 60;

/** Renders the rows of a query as a plain-text table, truncated to fit a terminal. */
export function renderTable({ columns, rows }: RowSet): string {
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.map((value) => renderCell(value ?? 'null')));
  const header = columns.map(renderCell);
  const widths = header.map((title, index) => Math.max(title.length, ...shown.map((row) => row[index]?.length ?? 0)));
  const renderLine = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => ` ${cell.padEnd(widths[index] ?? 0)} `)
      .join('|')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+');
  return [renderLine(header), rule, ...shown.map(renderLine), renderCount(rows.length), ''].join('\n');
}

function renderCell(text: string): string {
  const line = escapeLine(text.replaceAll(/\s+/gu, ' '));
  return line.length > MAX_CELL_WIDTH ? `${line.slice(0, MAX_CELL_WIDTH - 1)}…` : line;
}

function renderCount(count: number): string {
  if (count > MAX_ROWS) return `(the first ${MAX_ROWS} of ${count} rows)`;
  return count === 1 ? '(1 row)' : `(${count} rows)`;
}

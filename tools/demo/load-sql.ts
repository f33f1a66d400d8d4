// `rowhouse sql FILE.sql`: runs the file, with query results on standard output and progress on standard error.
import { renderEmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { loadUserSql, type UserSqlObserver, renderLoadedSql } from './load-user-sql.ts';
import { renderTable } from '../embedded/script/render-table.ts';
import type { CommandOf } from '../command-line/command.ts';
import { findOwnCommand } from '../support/own-command.ts';

const STEPS = {
  starting: 'Starting the embedded PostgreSQL',
  waiting: 'Waiting for the server to load the change',
} as const;

/** @returns the exit code */
export async function loadSql({ file, database }: CommandOf<'loadSql'>): Promise<number> {
  const progress = new Progress(process.stderr);
  const loaded = await loadUserSql({ file, database }, progress);
  progress.end();
  const command = findOwnCommand();
  if (loaded.ok) process.stdout.write(`${renderLoadedSql(file, loaded.value, command)}\n`);
  else process.stderr.write(`${renderEmbeddedError(loaded.error, command)}\n`);
  return loaded.ok ? 0 : 1;
}

/** Updates one line on a terminal; elsewhere prints one line per step. */
class Progress implements UserSqlObserver {
  readonly #stream: NodeJS.WriteStream;
  #isLineOpen = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  onStep(step: keyof typeof STEPS): void {
    this.#show(`${STEPS[step]} …`);
  }

  onStatement(index: number, total: number): void {
    if (this.#stream.isTTY) this.#show(`Statement ${index} of ${total} …`);
    else if (index === 1) this.#show(`Running ${total} ${total === 1 ? 'statement' : 'statements'} …`);
  }

  onRows(rows: Parameters<UserSqlObserver['onRows']>[0]): void {
    this.end();
    process.stdout.write(`${renderTable(rows)}\n`);
  }

  end(): void {
    if (this.#isLineOpen) this.#stream.write('\r\u001B[K');
    this.#isLineOpen = false;
  }

  #show(text: string): void {
    this.end();
    this.#isLineOpen = this.#stream.isTTY;
    this.#stream.write(this.#isLineOpen ? text : `${text}\n`);
  }
}

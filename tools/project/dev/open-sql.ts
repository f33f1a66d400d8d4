// `rowhouse sql` in the folder of a project: opens psql for the database that `rowhouse dev` serves, or runs a file there.
import { spawnSync } from 'node:child_process';
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { Progress } from '../../demo/load-user-sql.ts';
import { renderEmbeddedError } from '../../embedded/cluster/embedded-error.ts';
import { loadSqlFile } from '../../embedded/script/load-sql.ts';
import { findOwnCommand } from '../../support/own-command.ts';
import { readRunningDev } from '../folder/running-dev.ts';

/** @param file undefined: psql is opened. @returns the exit code */
export async function openProjectSql(root: string, file: string | undefined): Promise<number> {
  const running = readRunningDev(root);
  const command = findOwnCommand();
  if (running === undefined) {
    const other = file === undefined ? '' : `, or name a database of the demo: ${command} sql --database NAME FILE.sql`;
    process.stderr.write(`Nothing serves this project. Run \`${command} dev\` in another terminal${other}\n`);
    return 1;
  }
  return file === undefined ? openPsql(running.uri, command) : runFile(running.uri, file);
}

/** The password does not appear among the arguments, which other users of the machine can read. */
function openPsql(uri: string, command: string): number {
  const { password } = new URL(uri);
  const target = Object.assign(new URL(uri), { password: '' }).href;
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: decodeURIComponent(password) }) };
  const { status, error } = spawnSync('psql', [target], { stdio: 'inherit', env });
  if (error === undefined) return status ?? 1;
  process.stderr.write(
    `psql is not installed, or cannot be started: ${error.message}\nUse the SQL page of the explorer, run a file with \`${command} sql FILE.sql\`, or connect with another program:\n  ${uri}\n`,
  );
  return 1;
}

async function runFile(uri: string, file: string): Promise<number> {
  const progress = new Progress(process.stderr);
  const loaded = await loadSqlFile(uri, file, progress);
  progress.end();
  if (!loaded.ok) {
    process.stderr.write(`${renderEmbeddedError(loaded.error, findOwnCommand())}\n`);
    return 1;
  }
  const { statements } = loaded.value;
  process.stdout.write(escapeLine(`Ran ${statements} statement${statements === 1 ? '' : 's'} of ${file}.`) + '\n');
  return 0;
}

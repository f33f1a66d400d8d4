// The password of the login role: from a file, the environment, or a prompt that does not show it. It is never written to a
// file of the project.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { readPassword } from '../support/read-text.ts';

export const PASSWORD_VARIABLE = 'ROWHOUSE_LOGIN_PASSWORD';

/** @returns undefined if none was given. An error is a message for the user. */
export async function readGivenPassword(file: string | undefined): Promise<Result<string | undefined, string>> {
  return file === undefined ? ok(process.env[PASSWORD_VARIABLE] || undefined) : readPassword(file);
}

/** Asks twice, without an echo. @returns why there is no password */
export async function askPassword(role: string): Promise<Result<string, string>> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return fail(`The role ${role} needs a password: set ${PASSWORD_VARIABLE}, or pass --password-file FILE.`);
  const first = await askHidden(`Password for ${role}, such as the output of openssl rand -hex 24: `);
  if (first === '') return fail('No password was given.');
  return first === (await askHidden('The same again: ')) ? ok(first) : fail('The two passwords differ.');
}

async function askHidden(question: string): Promise<string> {
  process.stdout.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  const end = new AbortController();
  lines.once('close', () => end.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    return await lines.question('', { signal: end.signal });
  } catch {
    return '';
  } finally {
    lines.close();
    process.stdout.write('\n');
  }
}

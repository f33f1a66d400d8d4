// Reads files that arguments name. An error is a message for the user.
import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { messageOf } from './thrown.ts';

/** Returns a token or another secret as given, or the content of the file that `@FILE` names. */
export async function readSecret(secret: string | undefined): Promise<Result<string | undefined, string>> {
  if (secret === undefined || !secret.startsWith('@')) return ok(secret);
  const text = await readText(secret.slice(1));
  return text.ok ? ok(text.value.trim()) : text;
}

export async function readText(file: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** Reads a password, without the line break that editors put at the end. */
export async function readPassword(file: string): Promise<Result<string, string>> {
  const text = await readText(file);
  if (!text.ok) return text;
  const password = text.value.replace(/\r?\n$/u, '');
  return password === '' ? fail(`${file} is empty, but must contain the password`) : ok(password);
}

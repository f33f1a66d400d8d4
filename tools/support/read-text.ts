// Reads files that arguments name. An error is a message for the user.
import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../src/contract/result.ts';

/** Returns the token as given, or the content of the file that it names. */
export async function readToken(token: string | undefined): Promise<Result<string | undefined, string>> {
  if (token === undefined || !token.startsWith('@')) return ok(token);
  const text = await readText(token.slice(1));
  return text.ok ? ok(text.value.trim()) : text;
}

export async function readText(file: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

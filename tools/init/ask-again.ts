// Repeats a question until the answer is acceptable, and says what is.
import { countBytes, MAX_IDENTIFIER_BYTES } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';

/** Asks on the terminal; returns undefined if the input ended. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Reads a trimmed answer. An error says what is accepted. */
type ReadAnswer<T> = (answer: string) => Result<T, string>;

/** @returns undefined if the input ended */
export async function askUntilValid<T>(ask: Ask, question: string, read: ReadAnswer<T>): Promise<T | undefined> {
  let complaint = '';
  for (;;) {
    const answer = await ask(`${complaint}${question}`);
    if (answer === undefined) return undefined;
    const value = read(answer.trim());
    if (value.ok) return value.value;
    complaint = `${value.error}\n`;
  }
}

/** An empty answer means no. @returns undefined if the input ended */
export function askYesOrNo(ask: Ask, question: string): Promise<boolean | undefined> {
  return askUntilValid(ask, `${question} [y/N]: `, (answer) => {
    const [, word] = /^(y|yes|n|no|)$/iu.exec(answer) ?? [];
    return word === undefined ? fail('Answer y or n.') : ok(/^y/iu.test(word));
  });
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** Accepts the beginning of a word. The first word is the default. @returns undefined if the input ended */
export function askOneOf<T extends string>(ask: Ask, question: string, words: readonly T[]): Promise<T | undefined> {
  return askUntilValid(ask, `${question} [${words[0] ?? ''}]: `, (answer) => {
    const word = words.find((candidate) => candidate.startsWith(answer.toLowerCase()));
    return word === undefined ? fail(`Answer ${LIST.format(words)}.`) : ok(word);
  });
}

/** Flags accept any name; an answer that is not a plain one is more likely a question. */
export function readName(usual: string): ReadAnswer<string> {
  return (answer) => {
    const name = answer || usual;
    return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) && countBytes(name) <= MAX_IDENTIFIER_BYTES
      ? ok(name)
      : fail(`Enter a name of letters, digits, _ and -, such as ${usual}. Enter alone takes that one.`);
  };
}

export function readFileName(usual: string): ReadAnswer<string> {
  return (answer) =>
    /[?*<>|"\0]/u.test(answer)
      ? fail(`Enter the path of a file, such as ${usual}. Enter alone takes that one.`)
      : ok(answer || usual);
}

export const readUri: ReadAnswer<string> = (answer) =>
  /^postgres(?:ql)?:\/\/\S+$/u.test(answer) ? ok(answer) : fail('Enter a URI, such as postgres://user@host/name.');

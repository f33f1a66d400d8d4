// Completes the options of `init` by asking on the terminal or by taking defaults.
import { createInterface } from 'node:readline/promises';
import type { CommandOf } from '../command-line/command.ts';
import { INIT_DEFAULTS } from '../command-line/init-arguments.ts';
import { countBytes, MAX_IDENTIFIER_BYTES } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';

export type InitOptions = CommandOf<'init'>;

export interface Answers {
  readonly anonRole: string;
  readonly loginRole: string;
  readonly file: string;
  readonly uri: string | undefined;
}

const DATABASE = 'Database URI, with a user who can create roles (postgres://user@host/name): ';

const QUESTIONS = [
  ['anonRole', 'Role of requests without a token', readName],
  ['loginRole', 'New login role for the server', readName],
  ['file', 'Configuration file to write', readFileName],
] as const;

/** @param ask undefined if there is no terminal. @returns undefined if the input ended */
export async function answerQuestions(options: InitOptions, ask: Ask | undefined): Promise<Answers | undefined> {
  const { anonRole, loginRole, file } = INIT_DEFAULTS;
  const uri = options.uri ?? (ask && (await askUntilValid(ask, DATABASE, readUri)));
  if (uri === undefined && ask !== undefined) return undefined;
  const answers: { -readonly [Key in keyof Answers]: Answers[Key] } = { anonRole, loginRole, file, uri };
  for (const [name, question, read] of QUESTIONS) {
    const usual = answers[name];
    const stated = options[name] ?? (ask && (await askUntilValid(ask, `${question} [${usual}]: `, read(usual))));
    if (stated === undefined && ask !== undefined) return undefined;
    answers[name] = stated?.trim() || usual;
  }
  return answers;
}

/** Asks questions on the terminal. */
export class Terminal {
  readonly #lines = createInterface({ input: process.stdin, output: process.stdout });
  readonly #end = new AbortController();

  constructor() {
    this.#lines.once('close', () => this.#end.abort());
  }

  readonly ask: Ask = async (question) => {
    try {
      return await this.#lines.question(question, { signal: this.#end.signal });
    } catch {
      return undefined;
    }
  };

  close(): void {
    this.#lines.close();
  }
}

/** Asks on the terminal; returns undefined if the input ended. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Reads a trimmed answer. An error says what is accepted. */
type ReadAnswer<T> = (answer: string) => Result<T, string>;

/**
 * Repeats a question until the answer is acceptable, and says what is.
 *
 * @returns undefined if the input ended
 */
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

function readFileName(usual: string): ReadAnswer<string> {
  return (answer) =>
    /[?*<>|"\0]/u.test(answer)
      ? fail(`Enter the path of a file, such as ${usual}. Enter alone takes that one.`)
      : ok(answer || usual);
}

export const readUri: ReadAnswer<string> = (answer) =>
  /^postgres(?:ql)?:\/\/\S+$/u.test(answer) ? ok(answer) : fail('Enter a URI, such as postgres://user@host/name.');

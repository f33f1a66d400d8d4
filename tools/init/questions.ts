// Completes the options of `init` by asking on the terminal or by taking defaults.
import { createInterface } from 'node:readline/promises';
import type { CommandOf } from '../command-line/command.ts';
import { type Ask, askUntilValid, readFileName, readName, readUri } from './ask-again.ts';
import { INIT_DEFAULTS } from '../command-line/init-arguments.ts';

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

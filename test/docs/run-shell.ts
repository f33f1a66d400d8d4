// Runs a block of shell in the environment of its page: `curl`, `rowhouse`, `node`, and variables.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from '../support/local-server.ts';
import { runCurl } from './curl.ts';
import type { PageStage } from './page-stage.ts';
import { type Command, parseScript, type Word } from './shell-words.ts';

/** The result of the last command of a block. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'output'; readonly text: string };

export interface ShellOptions {
  /** If true, the last command starts a server and keeps running. */
  readonly isServer?: boolean;
  /** If true, the page shows a response of 400 or above. */
  readonly mayBeRefused?: boolean;
}

export class Shell {
  readonly #stage: PageStage;
  readonly #variables: Map<string, string>;

  constructor(stage: PageStage) {
    this.#stage = stage;
    this.#variables = new Map([['TOKEN', stage.token]]);
  }

  /** The current value of `$TOKEN`. */
  get token(): string {
    return this.#variables.get('TOKEN') ?? '';
  }

  async run(script: string, { isServer = false, mayBeRefused = false }: ShellOptions = {}): Promise<Outcome> {
    const commands = parseScript(script);
    let outcome: Outcome = { kind: 'output', text: '' };
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1;
      outcome = await this.#runCommand(command, isServer && isLast);
      const isRefused = outcome.kind === 'answer' && outcome.answer.status >= 400;
      if (isRefused && !(isLast && mayBeRefused)) throw new Error(`the request failed: ${textOf(outcome)}`);
    }
    return outcome;
  }

  async #runCommand({ words, outputFile }: Command, isServer: boolean): Promise<Outcome> {
    const all = await Promise.all(words.map((word) => this.#expand(word)));
    const start = all[0] === 'export' ? 1 : 0;
    const rest = all.slice(start).findIndex((word) => !/^\w+=/u.test(word));
    const count = rest === -1 ? all.length : start + rest;
    const assigned = all.slice(start, count).map((word) => /^(\w+)=(.*)$/su.exec(word)?.slice(1) as [string, string]);
    const program = all.slice(count);
    if (program.length === 0) {
      for (const [name, value] of assigned) this.#assign(name, value);
      return { kind: 'output', text: '' };
    }
    const outcome = await this.#start(program, Object.fromEntries(assigned), isServer);
    if (outputFile === undefined) return outcome;
    writeFileSync(this.#pathOf(await this.#expand(outputFile)), textOf(outcome));
    return { kind: 'output', text: '' };
  }

  /** `TOKEN=eyJ…` shows what a value looks like; the test substitutes its own. */
  #assign(name: string, value: string): void {
    const known = { TOKEN: this.#stage.token, DATABASE_URL: this.#stage.uri }[name];
    const actual = value.includes('…') ? known : value;
    if (actual === undefined) throw new Error(`the test has no value for ${name}`);
    this.#variables.set(name, actual);
  }

  async #start(words: readonly string[], own: NodeJS.ProcessEnv, isServer: boolean): Promise<Outcome> {
    const [program = '', ...args] = words[0] === 'npx' ? words.slice(1) : words;
    if (program === 'curl') {
      const locate = await this.#stage.locate();
      return {
        kind: 'answer',
        answer: await runCurl(args, locate, (name) => readFileSync(this.#pathOf(name), 'utf8')),
      };
    }
    if (program !== 'rowhouse' && program !== 'node') throw new Error(`the test does not run ${program}`);
    const [command, file = '', ...others] = args;
    if (command === 'sql' && others.length === 0 && this.#stage.isDemo) {
      await this.#stage.runSql(readFileSync(this.#pathOf(file), 'utf8'));
      return { kind: 'output', text: '' };
    }
    const variables = { ...Object.fromEntries(this.#variables), ...own };
    if (isServer) {
      await this.#stage.serve(args, variables);
      return { kind: 'output', text: '' };
    }
    const { code, stdout, stderr } = await this.#stage.run(program, args, variables);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
    return { kind: 'output', text: stdout };
  }

  async #expand(word: Word): Promise<string> {
    const parts = await Promise.all(
      word.map(async (part) => {
        if (part.kind === 'text') return part.text;
        if (part.kind === 'output') return textOf(await this.run(part.script)).trimEnd();
        const value = this.#variables.get(part.name);
        if (value === undefined) throw new Error(`$${part.name} has no value`);
        return value;
      }),
    );
    return parts.join('');
  }

  #pathOf(name: string): string {
    return path.join(this.#stage.folder, name);
  }
}

export function textOf(outcome: Outcome): string {
  return outcome.kind === 'answer' ? outcome.answer.text : outcome.text;
}

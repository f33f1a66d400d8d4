// Splits a psql script into statements, the data of `COPY … FROM stdin`, and `\c` commands. The SQL console and
// `tools/embedded/script/load-sql.ts` run them.
import { skipQuoting } from '../../src/util/skip-quoting.ts';

interface PartBase {
  /** Line of the first word, counted from 1. */
  readonly line: number;
  /** Where it begins in the script, in UTF-16 units. */
  readonly start: number;
}

export type ScriptPart =
  | (PartBase & { readonly kind: 'statement'; readonly text: string })
  | (PartBase & { readonly kind: 'copy'; readonly text: string; readonly data: string })
  | (PartBase & { readonly kind: 'connect'; readonly database: string })
  | (PartBase & { readonly kind: 'unsupported'; readonly command: string });

const BLANKS = /\s+/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const COPY_FROM_STDIN = /^copy\s[^]*\sfrom\s+stdin\b/i;
/** Statements whose bodies may be `BEGIN ATOMIC … END`. */
const ROUTINE = /^create (?:or replace )?(?:function|procedure) /u;
/** Enough to recognize a routine, however much lies between its words. */
const MAX_HEAD_WORDS = 5;
const LINE_FEED = 0x0a;
const END_OF_DATA = /^\\\.\r?$/gm;
/** Commands that affect only psql itself or its output, not the database. */
const HARMLESS_COMMANDS: ReadonlySet<string> = new Set([
  'echo',
  'encoding',
  'pset',
  'restrict',
  'set',
  'timing',
  'unrestrict',
]);

/** @param skipped commands of psql that are left out */
export function splitScript(script: string, skipped?: ReadonlySet<string>): readonly ScriptPart[] {
  return [...readScript(script, skipped)];
}

/** Splits no more of the script than is asked for. */
export function readScript(script: string, skipped: ReadonlySet<string> = HARMLESS_COMMANDS): Iterable<ScriptPart> {
  return new ScriptSplitter(script, skipped).split();
}

class ScriptSplitter {
  readonly #script: string;
  readonly #skipped: ReadonlySet<string>;
  #parts: ScriptPart[] = [];
  #position = 0;
  /** Start of the current statement; undefined between statements. */
  #start: number | undefined;
  #parentheses = 0;
  /** Number of open BEGIN ATOMIC and CASE blocks, in which a semicolon does not end the statement. */
  #blocks = 0;
  /** The first words of the current statement, in lower case. */
  #words: string[] = [];
  #lines = { counted: 0, line: 1 };

  constructor(script: string, skipped: ReadonlySet<string>) {
    this.#script = script;
    this.#skipped = skipped;
  }

  *split(): Generator<ScriptPart, void, undefined> {
    while (this.#position < this.#script.length) {
      this.#step();
      if (this.#parts.length === 0) continue;
      yield* this.#parts;
      this.#parts = [];
    }
    this.#endStatement();
    yield* this.#parts;
  }

  #step(): void {
    const character = this.#script.charAt(this.#position);
    const quoted = skipQuoting(this.#script, this.#position);
    if (quoted !== undefined) {
      if (quoted.kind === 'literal') this.#start ??= this.#position;
      this.#position = quoted.end;
    } else if (character === '\\') {
      this.#takeCommand();
    } else if (character === ';' && this.#parentheses === 0 && this.#blocks === 0) {
      this.#endStatement();
      this.#position += 1;
    } else {
      this.#takeToken(character);
    }
  }

  #takeToken(character: string): void {
    BLANKS.lastIndex = this.#position;
    if (BLANKS.test(this.#script)) {
      this.#position = BLANKS.lastIndex;
      return;
    }
    this.#start ??= this.#position;
    WORD.lastIndex = this.#position;
    const word = WORD.exec(this.#script)?.[0];
    if (word === undefined) this.#takeSymbol(character);
    else this.#takeWord(word.toLowerCase());
  }

  #takeSymbol(symbol: string): void {
    if (symbol === '(') this.#parentheses += 1;
    if (symbol === ')') this.#parentheses = Math.max(0, this.#parentheses - 1);
    this.#position += 1;
  }

  #takeWord(word: string): void {
    if (this.#words.length < MAX_HEAD_WORDS) this.#words.push(word);
    if (word === 'begin' && ROUTINE.test(this.#words.join(' '))) this.#blocks += 1;
    if (word === 'case' && this.#blocks > 0) this.#blocks += 1;
    if (word === 'end' && this.#blocks > 0) this.#blocks -= 1;
    this.#position += word.length;
  }

  #endStatement(): void {
    this.#parentheses = 0;
    this.#blocks = 0;
    this.#words = [];
    if (this.#start === undefined) return;
    const place = { line: this.#lineAt(this.#start), start: this.#start };
    const text = this.#script.slice(this.#start, this.#position);
    this.#start = undefined;
    if (COPY_FROM_STDIN.test(text)) this.#parts.push({ kind: 'copy', text, ...place, data: this.#takeCopyData() });
    else this.#parts.push({ kind: 'statement', text, ...place });
  }

  /** Takes the lines up to one that contains only `\.`. */
  #takeCopyData(): string {
    const begin = this.#endOfLine() + 1;
    END_OF_DATA.lastIndex = begin;
    const end = END_OF_DATA.exec(this.#script);
    const dataEnd = end?.index ?? this.#script.length;
    this.#position = end === null ? this.#script.length : END_OF_DATA.lastIndex;
    return this.#script.slice(begin, dataEnd);
  }

  /** Takes a backslash command up to the end of its line. It also ends the current statement. */
  #takeCommand(): void {
    this.#endStatement();
    const place = { line: this.#lineAt(this.#position), start: this.#position };
    const end = this.#endOfLine();
    const [command = '', ...args] = this.#script
      .slice(this.#position + 1, end)
      .trim()
      .replace(/;$/, '')
      .split(/\s+/);
    this.#position = end;
    const [database] = args;
    if (/^c(onnect)?$/.test(command) && database !== undefined && args.length === 1) {
      this.#parts.push({ kind: 'connect', database: database.replace(/^"(.*)"$/, '$1'), ...place });
    } else if (!this.#skipped.has(command)) {
      this.#parts.push({ kind: 'unsupported', command: `\\${command}`, ...place });
    }
  }

  #endOfLine(): number {
    const end = this.#script.indexOf('\n', this.#position);
    return end === -1 ? this.#script.length : end;
  }

  /** Continues counting from the last call, because positions only increase. */
  #lineAt(position: number): number {
    let { counted, line } = this.#lines;
    for (; counted < position; counted += 1) if (this.#script.charCodeAt(counted) === LINE_FEED) line += 1;
    this.#lines = { counted, line };
    return line;
  }
}

/** Returns the UTF-16 units of the first characters: PostgreSQL counts characters. */
export function unitsOf(text: string, characters: number): number {
  return Array.from(text).slice(0, Math.max(0, characters)).join('').length;
}

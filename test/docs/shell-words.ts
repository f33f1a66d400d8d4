// Parses the few shell constructs that the pages use. Anything that a shell would interpret differently, or that the
// pages do not use, is an error.

export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'output'; readonly script: string };

export type Word = readonly WordPart[];

export interface Command {
  readonly words: readonly Word[];
  /** The target of `> file`. */
  readonly outputFile: Word | undefined;
}

const TOKEN =
  /(?<space>(?:[ \t]|\\\n)+)|(?<comment>#[^\n]*)|(?<end>\n|&&)|(?<redirect>>)|(?<single>'[^']*')|(?<double>"(?:[^"\\]|\\[\s\S])*")|(?<escaped>\\[^\n])|(?<output>\$\([^()]*\))|(?<variable>\$\w+)|(?<plain>[^\s'"\\$<>|&;()*?[\]{}!~`#]+)/uy;
const DOUBLE = /\\(?<escaped>["$\\`])|(?<output>\$\([^()]*\))|(?<variable>\$\w+)|(?<plain>[^\\$`]+|\\)/uy;

export function parseScript(script: string): readonly Command[] {
  const commands: Command[] = [];
  let words: WordPart[][] = [];
  let outputAt: number | undefined;
  let isInWord = false;
  const finish = (): void => {
    const outputFile = outputAt === undefined ? undefined : words[outputAt];
    if (words.length > 0) commands.push({ words: words.slice(0, outputAt), outputFile });
    [words, outputAt, isInWord] = [[], undefined, false];
  };
  for (const groups of tokens(script, TOKEN)) {
    const parts = readParts(groups);
    if (groups['end'] !== undefined) finish();
    else if (groups['redirect'] !== undefined) outputAt = words.length;
    if (parts === undefined) {
      isInWord = false;
      continue;
    }
    if (!isInWord) words.push([]);
    words.at(-1)?.push(...parts);
    isInWord = true;
  }
  finish();
  return commands;
}

type Groups = Readonly<Record<string, string | undefined>>;

function* tokens(text: string, pattern: RegExp): Generator<Groups> {
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new Error(`the test does not read this shell: ${text.slice(at).split('\n', 1)[0]}`);
    at = pattern.lastIndex;
    yield match.groups ?? {};
  }
}

function readParts(groups: Groups): Word | undefined {
  const { single, double, escaped, output, variable, plain } = groups;
  if (single !== undefined) return [{ kind: 'text', text: single.slice(1, -1) }];
  if (double !== undefined) return [...tokens(double.slice(1, -1), DOUBLE)].flatMap((inner) => readParts(inner) ?? []);
  if (output !== undefined) return [{ kind: 'output', script: output.slice(2, -1) }];
  if (variable !== undefined) return [{ kind: 'variable', name: variable.slice(1) }];
  if (escaped !== undefined) return [{ kind: 'text', text: escaped.replace(/^\\/u, '') }];
  return plain === undefined ? undefined : [{ kind: 'text', text: plain }];
}

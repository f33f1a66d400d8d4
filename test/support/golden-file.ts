// Parses golden files: requests and the SQL they are rendered to, in a readable layout.
//
//   -- title
//   -- GET /boats?id=eq.1
//   -- Accept: text/csv            request headers
//   -- with db-max-rows=2          server options
//   SELECT …                       the main statement
//   -- $1 = "1"                    its parameters
//   EXPLAIN …                      the statement of the planned count, if any
//
// Cases are separated by blank lines. `-- {name} = text` defines an abbreviation for text that many statements share.

export interface GoldenCase {
  readonly title: string;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  /** Statements and their parameters as in the file, with abbreviations expanded. */
  readonly expected: string;
}

const ABBREVIATION = /^-- (\{\w+\}) = (.*)$/u;
const OPTION = /^with ([a-z-]+)=(.*)$/u;
const HEADER = /^([A-Za-z-]+): (.*)$/u;

export function parseGoldenFile(text: string): readonly GoldenCase[] {
  const blocks = text.split(/\n{2,}/u).map((block) => block.trim());
  const abbreviations = blocks.flatMap((block) => block.split('\n')).flatMap((line) => readAbbreviation(line));
  return blocks
    .filter((block) => /^-- [A-Z]+ \//mu.test(block))
    .map((block) => parseCase(abbreviations.reduce((before, [name, long]) => before.replaceAll(name, long), block)));
}

function readAbbreviation(line: string): readonly (readonly [string, string])[] {
  const [, name, long] = ABBREVIATION.exec(line) ?? [];
  return name === undefined || long === undefined ? [] : [[name, long]];
}

function parseCase(block: string): GoldenCase {
  const lines = block.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('-- '));
  const head = lines.slice(0, start === -1 ? lines.length : start).map((line) => line.slice(3));
  const [title = '', line = '', ...rest] = head;
  return {
    title,
    line,
    headers: collect(rest, HEADER),
    options: collect(rest, OPTION),
    expected: start === -1 ? '' : lines.slice(start).join('\n'),
  };
}

function collect(lines: readonly string[], pattern: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = pattern.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? '']];
    }),
  );
}

import { expect, test } from 'vitest';
import { identifyCommand } from '../../../tools/command-line/invocation.ts';
import { OPTION_GROUPS } from '../../../tools/command-line/flags.ts';
import { PROGRAM } from '../../../tools/commands/index.ts';
import {
  renderParagraph,
  renderRows,
  renderHelp,
  renderUsageError,
  renderVersion,
} from '../../../tools/command-line/help.ts';
import { PUBLIC_OPTION_KEYS, OPTIONS } from '../../../src/config/table/options.ts';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../../src/contract/dialect.ts';

const PLAIN = { dialect: SVC_DIALECT, isColored: false };

/** Joins wrapped lines. */
function unwrap(help: string): string {
  return help.replaceAll(/\s+/gu, ' ');
}

test('O51 the version is printed as name and number', () => {
  expect(renderVersion()).toMatch(/^rowhouse \d+\.\d+\n$/);
});

test('O60 the usage follows an error', () => {
  const text = renderUsageError(PROGRAM, PROGRAM.main, 'Invalid option: -x');
  expect(text.startsWith('Invalid option: -x\n\nUsage: rowhouse [-v|--version] [-e|--example]\n')).toBe(true);
  for (const { name } of PROGRAM.commands) expect(text).toContain(`\n       rowhouse ${name} `);
});

test('O60b an error in the arguments of a command shows only the usage of that command', () => {
  expect(renderUsageError(PROGRAM, identifyCommand(PROGRAM, ['sql']), 'Invalid option: -x')).toBe(
    'Invalid option: -x\n\nUsage: rowhouse sql [--database NAME] [FILE.sql]\n\nrowhouse help sql shows all flags.\n',
  );
});

test('O50 help shows the usage, a description, and the commands and options that most people need, on one page', () => {
  const help = renderHelp(PROGRAM, undefined, PLAIN);
  expect(help.split('\n').length).toBeLessThanOrEqual(50);
  expect(help.match(/^ {2}--/gmu)).toHaveLength(10);
  expect(help.startsWith('Usage: rowhouse ')).toBe(true);
  expect(help.split('\n')).toContain(
    `  ${renderVersion().trim()} / create a REST API to an existing Postgres database`,
  );
  for (const { name } of PROGRAM.commands) expect(help).toMatch(new RegExp(`^  ${name} `, 'mu'));
  expect(help).toMatch(/^ {2}rowhouse {2,}Without anything: a demo with its own PostgreSQL$/mu);
});

test('O50b help on options shows every flag and configuration option', () => {
  const help = renderHelp(PROGRAM, { group: undefined }, PLAIN);
  for (const { name, doc } of PROGRAM.main.flags) expect(unwrap(help)).toContain(` --${name} ${doc}`);
  for (const key of PUBLIC_OPTION_KEYS) {
    const { name, doc } = OPTIONS[key];
    expect(
      unwrap(help)
        .split(new RegExp(` --${name}(?: [A-Z]+| [a-z\\d.|]+[|][a-z\\d.|]+)? `, 'u'))[1]
        ?.startsWith(doc),
    ).toBe(true);
  }
  expect(help).toContain(
    'Maximum number of database connections in the pool\n                          (default: 10)\n',
  );
});

test('help shows the options of one group, and every option is in a group', () => {
  const headings = [...renderHelp(PROGRAM, { group: undefined }, PLAIN).matchAll(/^([A-Z][^:\n]*):$/gmu)].map(
    ([, text]) => text,
  );
  expect(headings).toEqual(['Flags', ...OPTION_GROUPS.map(({ heading }) => heading)]);
  const live = renderHelp(PROGRAM, { group: 'live' }, PLAIN);
  expect(live.match(/^ {2}--[\w-]+/gmu)?.every((flag) => /--(?:live|events)-/u.test(flag))).toBe(true);
});

test('help fits a terminal of 80 columns', () => {
  for (const about of [undefined, { group: undefined }, ...PROGRAM.commands.map(({ name }) => name)]) {
    const long = renderHelp(PROGRAM, about, PLAIN)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(long).toEqual([]);
  }
});

test('color affects only the headings', () => {
  const colored = renderHelp(PROGRAM, { group: undefined }, { ...PLAIN, isColored: true });
  expect(colored).toContain('\u001B[1mDatabase:\u001B[22m\n');
  expect(colored.replaceAll(/\u001B\[\d+m/gu, '')).toBe(renderHelp(PROGRAM, { group: undefined }, PLAIN));
});

test('each command has its own help', () => {
  expect(renderHelp(PROGRAM, 'completion', PLAIN)).toBe(`Usage: rowhouse completion bash|zsh|fish

Show a script that enables completion of commands and options in your shell

Options:
  -h, --help              Show this help
`);
  expect(renderHelp(PROGRAM, 'types', PLAIN)).toContain('For the configuration options, see rowhouse help options.');
});

test('help uses the names and defaults of the dialect', () => {
  const other = unwrap(renderHelp(PROGRAM, { group: undefined }, { ...PLAIN, dialect: POSTGREST_DIALECT }));
  expect(unwrap(renderHelp(PROGRAM, { group: undefined }, PLAIN))).toContain(
    'an environment variable (SVC_DB_SCHEMAS for db-schemas)',
  );
  expect(other).toContain('an environment variable (PGRST_DB_SCHEMAS for db-schemas)');
  expect(other).toMatch(/ --db-channel TEXT .{0,80}\(default: pgrst\)/u);
});

test('descriptions are wrapped beside short names and below long ones', () => {
  expect(
    renderRows([
      ['--short', 'one two three four five six seven eight nine ten eleven twelve'],
      ['--as-long-as-can-be-here', 'text'],
      ['--longer-than-its-column-is', 'text'],
    ]),
  ).toBe(`  --short                 one two three four five six seven eight nine ten
                          eleven twelve
  --as-long-as-can-be-here
                          text
  --longer-than-its-column-is
                          text
`);
});

test('a paragraph uses the full width', () => {
  expect(renderParagraph('word '.repeat(20).trim())).toBe(`${'word '.repeat(16).trim()}\nword word word word\n`);
});

import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { MAIN_FLAGS } from '../../src/cli/arguments/flags.ts';
import { renderHelp, renderUsageError, renderVersion } from '../../src/cli/help.ts';
import { PUBLIC_OPTION_KEYS, OPTIONS } from '../../src/config/table/options.ts';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';

const PLAIN = { dialect: SVC_DIALECT, isColored: false };

/** As one line each, however they are wrapped. */
function unwrap(help: string): string {
  return help.replaceAll(/\s+/gu, ' ');
}

test('O51 the version', () => {
  expect(renderVersion()).toMatch(/^rowhouse \d+\.\d+\n$/);
});

test('O60 an error comes with the usage', () => {
  const text = renderUsageError('Invalid option: -x', undefined);
  expect(text.startsWith('Invalid option: -x\n\nUsage: rowhouse [-v|--version] [-e|--example]\n')).toBe(true);
  for (const { name } of COMMANDS) expect(text).toContain(`\n       rowhouse ${name} `);
});

test('O60b behind a command an error comes with the usage of that command alone', () => {
  expect(renderUsageError('Invalid option: -x', 'sql')).toBe(
    'Invalid option: -x\n\nUsage: rowhouse sql [--database NAME] FILE.sql\n\nrowhouse help sql shows all flags.\n',
  );
});

test('O50 help has usage, description, every command, flag and option of the configuration', () => {
  const help = renderHelp(undefined, PLAIN);
  expect(help.startsWith('Usage: rowhouse ')).toBe(true);
  expect(help.split('\n')).toContain(
    `  ${renderVersion().trim()} / create a REST API to an existing Postgres database`,
  );
  for (const { name, doc } of COMMANDS) expect(unwrap(help)).toContain(` ${name} ${doc}`);
  for (const { name, doc } of MAIN_FLAGS) expect(unwrap(help)).toContain(` --${name} ${doc}`);
  for (const key of PUBLIC_OPTION_KEYS) {
    const { name, doc } = OPTIONS[key];
    expect(
      unwrap(help)
        .split(new RegExp(` --${name}(?: [A-Z]+| [a-z\\d.|]+[|][a-z\\d.|]+)? `, 'u'))[1]
        ?.startsWith(doc),
    ).toBe(true);
  }
  expect(help).toContain('Maximum size of the connection pool (default: 10)\n');
});

test('help is grouped, with what most people need first', () => {
  const headings = [...renderHelp(undefined, PLAIN).matchAll(/^([A-Z][^:\n]*):$/gmu)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'Commands',
    'Common options',
    'Instead of serving',
    'Database',
    'Tokens',
    'Servers and limits',
    'Requests',
    'API description, dialect, logs',
  ]);
  const common = renderHelp(undefined, PLAIN).split('\nInstead of serving:')[0];
  for (const name of ['db-uri', 'db-schemas', 'db-anon-role', 'jwt-secret', 'server-port'])
    expect(common).toContain(`  --${name} `);
});

test('help fits a terminal of 80 columns', () => {
  for (const about of [undefined, ...COMMANDS.map(({ name }) => name)]) {
    const long = renderHelp(about, PLAIN)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(long).toEqual([]);
  }
});

test('color shows headings on a terminal, and nothing else differs', () => {
  const colored = renderHelp(undefined, { ...PLAIN, isColored: true });
  expect(colored).toContain('\u001B[1mDatabase:\u001B[22m\n');
  expect(colored.replaceAll(/\u001B\[\d+m/gu, '')).toBe(renderHelp(undefined, PLAIN));
});

test('each command has a help of its own', () => {
  expect(renderHelp('sql', PLAIN)).toBe(`Usage: rowhouse sql [--database NAME] FILE.sql

Run a file of SQL in the embedded database

Options:
  --database NAME         A database of its own, made when missing; else the
                          demo's
  -h, --help              Show this text
`);
  expect(renderHelp('types', PLAIN)).toContain('The options of the configuration are those of rowhouse --help.');
});

test('help speaks the dialect', () => {
  const other = unwrap(renderHelp(undefined, { ...PLAIN, dialect: POSTGREST_DIALECT }));
  expect(unwrap(renderHelp(undefined, PLAIN))).toContain('in the environment as in SVC_DB_SCHEMAS');
  expect(other).toContain('in the environment as in PGRST_DB_SCHEMAS');
  expect(other).toMatch(/ --db-channel TEXT [^-]*\(default: pgrst\)/u);
});

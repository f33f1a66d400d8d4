import { expect, test } from 'vitest';
import { FLAGS } from '../../src/cli/flags.ts';
import { renderHelp, renderUsageError, renderVersion } from '../../src/cli/help.ts';
import { OPTIONS, PUBLIC_OPTION_KEYS } from '../../src/config/options.ts';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';

const USAGE = `Usage: rowhouse [-v|--version] [-e|--example] [--dump-config | --dump-schema | --ready]
                [--runtime-metrics] [--demo] [--dialect NAME] [FILENAME]
       rowhouse sql FILE.sql [--database NAME]
       rowhouse types [--dialect NAME] [FILENAME]
`;

test('O51 the version', () => {
  expect(renderVersion()).toMatch(/^rowhouse \d+\.\d+\n$/);
});

test('O60 an error comes with the usage', () => {
  expect(renderUsageError('Invalid option: -x')).toBe(`Invalid option: -x\n\n${USAGE}`);
});

test('help has usage, description and every option', () => {
  const lines = renderHelp(SVC_DIALECT).split('\n');
  expect(renderHelp(SVC_DIALECT).startsWith(USAGE)).toBe(true);
  expect(lines).toContain(`  ${renderVersion().trim()} / create a REST API to an existing Postgres database`);
  for (const flag of FLAGS) {
    const left = flag.letter ? `-${flag.letter}, --${flag.name}` : `--${flag.name}`;
    expect(lines.some((line) => line.startsWith(`  ${left} `) && line.endsWith(` ${flag.doc}`))).toBe(true);
  }
  for (const key of PUBLIC_OPTION_KEYS) {
    const { name, doc } = OPTIONS[key];
    expect(lines.some((line) => line.startsWith(`  ${name} `) && line.includes(` ${doc}`))).toBe(true);
  }
  expect(lines.filter((line) => line.startsWith('  db-pool '))).toEqual([
    expect.stringContaining('Most database connections the pool holds (default: 10)'),
  ]);
});

test('help speaks the dialect', () => {
  expect(renderHelp(SVC_DIALECT)).toContain('in the environment as in SVC_DB_SCHEMAS:');
  expect(renderHelp(POSTGREST_DIALECT)).toContain('in the environment as in PGRST_DB_SCHEMAS:');
  expect(renderHelp(POSTGREST_DIALECT)).toMatch(/^ {2}db-channel .* \(default: pgrst\)$/m);
});

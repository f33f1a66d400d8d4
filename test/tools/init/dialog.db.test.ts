// The questions of `init` about the tables that a database has already.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chooseTables } from '../../../tools/init/choose-tables.ts';
import { createDatabase, runSql, type TestDatabase } from '../../support/database.ts';
import { NO_OPTIONS } from './no-options.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  await runSql(
    database.uri,
    `create table album (id serial primary key, title text);
     create table "Artist" (id int generated always as identity primary key);
     create table open (id int primary key); grant select on open to public;
     create view titles as select title from album;
     create table part (id int) partition by list (id)`,
  );
});

afterAll(() => database.drop());

const POLICY_RULE =
  ', with policies that allow all rows to the roles of this setup? Until you add more, other roles see no rows. [y/N]: ';
const FUTURE = 'Access without a token to every table that is created later: none or read [none]: ';
const EDITOR = 'Also create a role whose tokens may change the rows of every table? [y/N]: ';

interface Dialog {
  readonly asked: readonly string[];
  readonly said: string;
  readonly chosen: Awaited<ReturnType<typeof chooseTables>>;
}

/** Answers the questions in order, then ends the input. */
async function talk(...replies: readonly string[]): Promise<Dialog> {
  const asked: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const answers = { anonRole: `${database.name}_anon`, loginRole: 'gate', file: 'x.conf', uri: database.uri };
  const chosen = await chooseTables(NO_OPTIONS, answers, (question) =>
    Promise.resolve(replies[asked.push(question) - 1]),
  );
  const said = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  return { asked, said, chosen };
}

function listChoices({ chosen }: Dialog): unknown {
  return chosen.ok
    ? chosen.value.tables.map(({ table, access, hasPolicy }) => [table.name, access, hasPolicy])
    : chosen;
}

const ACCESS = 'Access without a token: read, write, none, or choose per table [read]: ';

test('on a terminal, empty answers make the tables of the largest schema readable', async () => {
  const dialog = await talk('', '', '', '', '');
  expect(dialog.asked).toEqual([
    'Schema to serve [public]: ',
    ACCESS,
    `Enable row-level security on each table${POLICY_RULE}`,
    FUTURE,
    EDITOR,
  ]);
  expect(dialog.chosen).toMatchObject({ ok: true, value: { futureAccess: 'none', editor: undefined } });
  expect(dialog.said).toMatch(
    /^\n\d+ tables of the schema public are not accessible to any role of the API: Artist, /u,
  );
  expect(listChoices(dialog)).toEqual([
    ['Artist', 'read', false],
    ['album', 'read', false],
    ['part', 'read', false],
    ['titles', 'read', false],
  ]);
});

test('on a terminal, access and policies can be chosen per table', async () => {
  const dialog = await talk('public', 'maybe', 'c', 'w', 'y', 'n', '', '', 'r', 'yes', 'w', '');
  expect(dialog.asked.slice(1)).toEqual([
    ACCESS,
    `Answer read, write, none, or choose.\n${ACCESS}`,
    '  Artist: read, write or none [read]: ',
    `  Artist: enable row-level security${POLICY_RULE}`,
    '  album: read, write or none [read]: ',
    '  part: read, write or none [read]: ',
    `  part: enable row-level security${POLICY_RULE}`,
    '  titles: read, write or none [read]: ',
    FUTURE.replace('none or read', 'none, read, or write'),
    `Answer none, read, or write.\n${FUTURE.replace('none or read', 'none, read, or write')}`,
    EDITOR,
  ]);
  expect(dialog.chosen).toMatchObject({ ok: true, value: { futureAccess: 'write' } });
  expect(listChoices(dialog)).toEqual([
    ['Artist', 'write', true],
    ['album', 'none', false],
    ['part', 'read', false],
    ['titles', 'read', false],
  ]);
});

test('on a terminal, write access for everybody comes with a warning', async () => {
  const dialog = await talk('public', 'write', 'y', '', '');
  expect(dialog.asked[2]).toBe(
    'Everybody who reaches the API can then change every row. rowhouse doctor reports that until policies restrict it.\n' +
      `Enable row-level security on each table${POLICY_RULE}`,
  );
  expect(listChoices(dialog)).toContainEqual(['Artist', 'write', true]);
});

test('on a terminal, an editor role can be created, also without access for others', async () => {
  const dialog = await talk('public', 'none', 'y', '', 'y');
  expect(dialog.asked.slice(2)).toEqual([
    EDITOR,
    'Name of that role [web_editor]: ',
    'Let web_editor also change every table that is created later? [y/N]: ',
  ]);
  expect(dialog.chosen).toMatchObject({
    ok: true,
    value: { futureAccess: 'none', editor: { role: 'web_editor', isFutureEditable: true } },
  });
  const editable = dialog.chosen.ok ? dialog.chosen.value.editor?.tables : undefined;
  expect(editable?.map(({ table, access }) => [table.name, access])).toContainEqual(['open', 'write']);
});

test('about a schema without tables, only future ones and an editor are asked for', async () => {
  const dialog = await talk('brand_new', '', 'y', 'crew', '');
  expect(dialog.asked.slice(1)).toEqual([
    FUTURE.replace('none or read', 'none, read, or write'),
    EDITOR,
    'Name of that role [web_editor]: ',
    'Let crew also change every table that is created later? [y/N]: ',
  ]);
  expect(dialog.chosen).toEqual({
    ok: true,
    value: {
      schema: 'brand_new',
      tables: [],
      futureAccess: 'none',
      editor: { role: 'crew', tables: [], isFutureEditable: false },
    },
  });
  expect((await talk('brand_new', 'read', 'n')).chosen).toMatchObject({ value: { futureAccess: 'read' } });
});

test('the end of the input ends the dialog', async () => {
  expect((await talk('public', 'read')).chosen).toEqual({ ok: false, error: '\nNothing was done.' });
});

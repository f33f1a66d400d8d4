// The questions of `init` about the tables that a database has already.
import { expect, test, vi } from 'vitest';
import { type AccessList, beginList, pressKey, renderList } from '../../../tools/init/access-list.ts';
import { chooseTables } from '../../../tools/init/choose-tables.ts';
import type { ExistingTable } from '../../../tools/init/existing-tables.ts';
import { createDatabase, runSql } from '../../support/database.ts';
import { NO_OPTIONS } from './no-options.ts';
import { use } from '../../support/use.ts';

const database = await use(createDatabase());
await runSql(
  database.uri,
  `create table album (id serial primary key, title text);
     create table "Artist" (id int generated always as identity primary key);
     create table open (id int primary key); grant select on open to public;
     create view titles as select title from album;
     create table part (id int) partition by list (id)`,
);

const FUTURE = 'Access without a token to every table that is created later: none or read [none]: ';
const EDITOR = 'Also create a role whose tokens may change the rows of every table? [y/N]: ';

interface Talk {
  readonly asked: readonly string[];
  readonly said: string;
  readonly chosen: Awaited<ReturnType<typeof chooseTables>>;
}

/** Presses the keys in the list of tables, answers the questions in order, then ends the input. */
async function talk(keys: string, ...replies: readonly string[]): Promise<Talk> {
  const asked: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const answers = {
    anonRole: `${database.name}_anon`,
    loginRole: 'gate',
    file: 'x.conf',
    uri: database.uri,
    takenRoles: new Set(['web_editor']),
  };
  const chosen = await chooseTables(NO_OPTIONS, answers, {
    ask: (question) => Promise.resolve(replies[asked.push(question) - 1]),
    chooseAccess: (tables) => Promise.resolve(edit(tables, keys)),
  });
  const said = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  return { asked, said, chosen };
}

function listChoices({ chosen }: Talk): unknown {
  return chosen.ok
    ? chosen.value.tables.map(({ table, access, hasPolicy }) => [table.name, access, hasPolicy])
    : chosen;
}

/** @param keys names of keys */
function edit(tables: readonly ExistingTable[], keys: string): AccessList['rows'] | undefined {
  let list = beginList(tables);
  for (const name of keys.split(' ')) {
    const step = pressKey(list, name === 'ctrl-c' ? { name: 'c', ctrl: true } : { name });
    if (step.kind === 'ended') return undefined;
    if (step.kind === 'list') list = step.list;
  }
  return list.rows;
}

test('on a terminal, Enter alone makes the tables of the largest schema readable', async () => {
  const dialog = await talk('return', '', '', '');
  expect(dialog.asked).toEqual(['Schema to serve [public]: ', FUTURE, EDITOR]);
  expect(dialog.chosen).toMatchObject({ ok: true, value: { futureAccess: 'none', editor: undefined } });
  expect(dialog.said).toMatch(
    /^\n\d+ tables of the schema public are not accessible without a token: Artist, .*\. Choose what requests without a token may do:\n$/u,
  );
  expect(listChoices(dialog)).toEqual([
    ['Artist', 'read', false],
    ['album', 'read', false],
    ['part', 'read', false],
    ['titles', 'read', false],
  ]);
});

test('on a terminal, one list holds the access and policies of all tables', async () => {
  const dialog = await talk('right p down left down p down p down return', 'public', 'maybe', 'w', '');
  expect(dialog.asked.slice(1)).toEqual([
    FUTURE.replace('none or read', 'none, read, or write'),
    `Answer none, read, or write.\n${FUTURE.replace('none or read', 'none, read, or write')}`,
    EDITOR,
  ]);
  expect(dialog.chosen).toMatchObject({ ok: true, value: { futureAccess: 'write' } });
  expect(listChoices(dialog)).toEqual([
    ['Artist', 'write', true],
    ['album', 'none', false],
    ['part', 'read', true],
    // A view cannot have policies.
    ['titles', 'read', false],
  ]);
});

test('on a terminal, A gives every table the access of the selected one', async () => {
  expect(listChoices(await talk('space p a return', 'public', '', ''))).toEqual([
    ['Artist', 'write', true],
    ['album', 'write', true],
    ['part', 'write', true],
    ['titles', 'write', false],
  ]);
  expect(listChoices(await talk('p space space a return', 'public', ''))).toContainEqual(['part', 'none', false]);
});

test('Ctrl+C in the list does nothing', async () => {
  expect((await talk('ctrl-c', 'public')).chosen).toEqual({ ok: false, error: '\nNothing was done.' });
});

test('the list shows what is chosen, and the part around the selection on a small terminal', () => {
  const tables = Array.from({ length: 9 }, (_, number) => ({
    schema: 's',
    name: `t${number}`,
    canHavePolicies: true,
    isAccessible: false,
    sequences: [],
  }));
  let list = beginList(tables);
  for (const name of ['down', 'down', 'down', 'down', 'right', 'p']) {
    const step = pressKey(list, { name });
    if (step.kind === 'list') list = step.list;
  }
  const lines = renderList(list, 200, 9);
  expect(lines).toEqual([
    'Up, Down: table   Left, Right: access   A: the same for all   Enter: done',
    'P: row-level security, with a policy that allows all rows to the roles of this',
    '   setup. Other roles then see no rows.',
    '  t3  read',
    '> t4  write  row-level security',
    '  t5  read',
    'Everybody who reaches the API can then change the rows. Restrict the policies.',
  ]);
  expect(renderList(list, 12, 30)).toContain('> t4  write');
});

test('on a terminal, an editor role can be created, also without access for others', async () => {
  const dialog = await talk('left a return', 'public', 'y', '', 'y');
  expect(dialog.asked.slice(1)).toEqual([
    EDITOR,
    'Name of that role [web_editor_2]: ',
    'Let web_editor_2 also change every table that is created later? [y/N]: ',
  ]);
  expect(dialog.chosen).toMatchObject({
    ok: true,
    value: { futureAccess: 'none', editor: { role: 'web_editor_2', isFutureEditable: true } },
  });
  const editable = dialog.chosen.ok ? dialog.chosen.value.editor?.tables : undefined;
  expect(editable?.map(({ table, access }) => [table.name, access])).toContainEqual(['open', 'write']);
});

test('about a schema without tables, only future ones and an editor are asked for', async () => {
  const dialog = await talk('return', 'brand_new', '', 'y', 'crew', '');
  expect(dialog.asked.slice(1)).toEqual([
    FUTURE.replace('none or read', 'none, read, or write'),
    EDITOR,
    'Name of that role [web_editor_2]: ',
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
  expect((await talk('return', 'brand_new', 'read', 'n')).chosen).toMatchObject({ value: { futureAccess: 'read' } });
});

test('the end of the input ends the dialog', async () => {
  expect((await talk('return', 'public')).chosen).toEqual({ ok: false, error: '\nNothing was done.' });
});

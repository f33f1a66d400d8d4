// The command `init` on a real terminal, with the answers that README.md suggests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { adminUri, createDatabase, runSql } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { useFolder } from '../../support/use.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
/** Runs a command on a terminal of its own. The program of this name on other systems takes other arguments. */
const SCRIPT = '/usr/bin/script';
const canOpenTerminal = process.platform === 'linux' && existsSync(SCRIPT);

const folder = useFolder();
const database = await createDatabase();
const { name } = database;
const roles: readonly [anon: string, login: string, editor: string] = [
  `${name}_anon`,
  `${name}_gate`,
  `${name}_editor`,
];
await runSql(database.uri, 'create table shelf (id serial primary key, label text); create table box (id int)');

afterAll(async () => {
  await database.drop();
  for (const role of roles) await runSql(adminUri(), `drop role if exists ${role}`);
});

/** Types each answer once the program waits for it. @returns what the terminal shows */
async function talk(args: readonly string[], answers: readonly string[]): Promise<string> {
  const command = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { cwd: folder, stdio: 'pipe' });
  const closed = once(child, 'close');
  let shown = '';
  let answered = 0;
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  for (const answer of answers) {
    // Readline moves the cursor behind the question.
    const isAsked = (): boolean => /\]: \u001B\[\d+G$|Enter: done[^]*\n$/u.test(shown.slice(answered));
    await until(isAsked, { seconds: 30, why: () => shown });
    answered = shown.length;
    child.stdin.write(/^[\u001B\r]/u.test(answer) ? answer : `${answer}\n`);
  }
  await closed;
  child.stdin.destroy();
  return shown;
}

const [RIGHT, ENTER] = ['\u001B[C', '\r'];

test.skipIf(!canOpenTerminal)(
  'a list with keys, Enter and y open the tables and create a role that edits them',
  async () => {
    const [anon, login, editor] = roles;
    const shown = await talk(
      ['init', database.uri, '--anon-role', anon, '--login-role', login],
      ['', '', RIGHT, ENTER, '', 'y', editor, '', 'y'],
    );
    expect(shown).toContain('2 tables of the schema public are not accessible without a token: box, shelf.');
    expect(shown).toContain(`token --role ${editor} rowhouse.conf   prints a token for changes, valid for an hour`);
    const config = await readFile(path.join(folder, 'rowhouse.conf'), 'utf8');
    const uri = /^db-uri = "(.*)"$/mu.exec(config)?.[1] ?? '';
    await runSql(uri, `set role ${anon}; table shelf; table box`);
    await runSql(uri, `set role ${anon}; insert into box values (1)`);
    await expect(runSql(uri, `set role ${anon}; insert into shelf values (1)`)).rejects.toThrow('permission denied');
    await runSql(uri, `set role ${editor}; insert into shelf (label) values ('top'); delete from box`);
  },
);

test.skipIf(!canOpenTerminal)('a second time, it extends the access of the same roles to new tables', async () => {
  const [anon, login, editor] = roles;
  await runSql(database.uri, 'create table crate (id serial primary key, label text)');
  const shown = await talk(['init', database.uri], ['', '', '', ENTER, '', editor, 'y']);
  expect(shown).toContain(`This database is set up already, with the login role ${login} and ${anon}, ${editor}.`);
  expect(shown).toContain('One table of the schema public is not accessible without a token: crate.');
  expect(shown).not.toContain('CREATE ROLE');
  await runSql(database.uri, `set role ${anon}; table crate`);
  await expect(runSql(database.uri, `set role ${anon}; insert into crate values (1)`)).rejects.toThrow('denied');
  await runSql(database.uri, `set role ${editor}; insert into crate (label) values ('top')`);
  const again = await talk(['init', database.uri], ['', '', '']);
  expect(again).toContain(`${anon} has access to every table of the schema public. Nothing was done.`);
  expect(await readdir(folder)).toEqual(['rowhouse.conf']);
});

// Applying migrations: order, ledger, locks, refusals, and runs that end at any moment.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClientBase } from 'pg';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import {
  applyMigrations,
  type MigrateOptions,
  recordBaseline,
  rehearseMigrations,
} from '../../../tools/migrate/apply-migrations.ts';
import { readLedger } from '../../../tools/migrate/ledger.ts';
import { renderStatus } from '../../../tools/migrate/plan-migration.ts';
import {
  describeMigration,
  describeSameNumbers,
  type Migration,
  readMigrations,
} from '../../../tools/migrate/read-migrations.ts';
import { createDatabase, runSql, type TestDatabase } from '../../support/database.ts';
import { isLong } from '../../support/long-form.ts';
import { useFolders } from '../project/folder.ts';

const createFolder = useFolders();

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

function options(reported: string[] = []): MigrateOptions {
  return {
    lockTimeout: 50,
    channel: 'reload',
    pause: () => Promise.resolve(),
    report: (text) => void reported.push(text),
  };
}

function migration(name: string, text: string): Migration {
  return describeMigration({ path: `migrations/${name}.sql`, text });
}

type Client = Pick<ClientBase, 'query'>;

function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
  return withConnection(database.uri, work);
}

async function read(sql: string): Promise<readonly unknown[]> {
  return connected(async (client) =>
    (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0]),
  );
}

const CREATE = migration('0001_create', 'create table a (x integer)');
const INSERT = migration('0002_insert', 'insert into a values (1); insert into a values (2)');
const INDEX = migration('0003_index', '-- rowhouse: no transaction\ncreate index concurrently a_x on a (x)');
const LAST = migration('0010_last', 'alter table a add y integer default 7');
const ALL = [CREATE, INSERT, INDEX, LAST];

test('P27 pending files apply once and in order, and are recorded', async () => {
  const reported: string[] = [];
  expect(await connected((client) => applyMigrations(client, ALL.slice(0, 2), options()))).toEqual({
    ok: true,
    value: 2,
  });
  expect(await connected((client) => applyMigrations(client, ALL, options(reported)))).toEqual({ ok: true, value: 2 });
  expect(await connected((client) => applyMigrations(client, ALL, options()))).toEqual({ ok: true, value: 0 });
  expect(reported.map((text) => text.split(' ')[0])).toEqual(['0003_index', '0010_last']);
  expect(await read('select x * 10 + y from a order by x')).toEqual([17, 27]);
  expect(await read('select name from rowhouse.migrations order by applied_at')).toEqual(ALL.map(({ name }) => name));
  expect(await read('select sha256 from rowhouse.migrations order by name')).toEqual(ALL.map(({ hash }) => hash));
});

test('P27b files are read in the order of their numbers, and Windows line ends do not matter', async () => {
  const folder = createFolder({
    'migrations/10_b.sql': 'select 2',
    'migrations/9_a.sql': 'select 1;\nselect 2',
    'migrations/snapshot.json': '{}',
    'migrations/2_c.SQL': '-- rowhouse: no transaction\r\nvacuum',
  });
  const migrations = await readMigrations(folder);
  const found = migrations.ok ? migrations.value : [];
  expect(found.map(({ name, isBare }) => [name, isBare])).toEqual([
    ['2_c', true],
    ['9_a', false],
    ['10_b', false],
  ]);
  expect(found[1]?.hash).toBe(migration('9_a', 'select 1;\r\nselect 2').hash);
});

test('P27c a file that was changed, and one that is missing, are errors, and nothing is applied', async () => {
  await connected((client) => applyMigrations(client, [CREATE, INSERT], options()));
  const changed = migration('0002_insert', 'insert into a values (3)');
  const result = await connected((client) => applyMigrations(client, [changed, LAST], options()));
  expect(result.ok ? [] : result.error.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    'migrations/0002_insert.sql: this file was changed after it was applied',
    'migrations/0001_create.sql: the database has this migration, but there is no such file',
  ]);
  expect(await read('select count(*)::integer from rowhouse.migrations')).toEqual([2]);
});

test('P27d a file with a lower number than the last applied one is applied with a warning', async () => {
  const reported: string[] = [];
  await connected((client) => applyMigrations(client, [CREATE, LAST], options()));
  expect(await connected((client) => applyMigrations(client, ALL, options(reported)))).toEqual({ ok: true, value: 2 });
  expect(reported[0]).toBe(
    'Warning: 0002_insert and 0003_index apply after 0010_last here, but before it in a new database. Compare the two afterwards: rowhouse diff DIR URI\n',
  );
});

test('P27d a dry run says how to rename what comes before applied migrations; so does a failure of one', async () => {
  const theirs = migration('0002_theirs', 'alter table a rename to b');
  await connected((client) => applyMigrations(client, [CREATE, theirs], options()));
  const own = ['0002_own', '0003_own'].map((name) => migration(name, 'insert into a values (3)'));
  const all = [CREATE, ...own.slice(0, 1), theirs, ...own.slice(1)];
  const order = '0002_own applies after 0002_theirs here, but before it in a new database';
  const moves =
    'git mv migrations/0003_own.sql migrations/0004_own.sql && git mv migrations/0002_own.sql migrations/0003_own.sql';
  const reported: string[] = [];
  const dry = await connected((client) => rehearseMigrations(client, all, options(reported)));
  expect(reported).toEqual([`Note: ${order}. If no other database has them, rename them: ${moves}\n`]);
  const hint = `${order}. If no other database has these files, rename and edit them, or delete them and run rowhouse diff --write NAME DIR URI again: ${moves}`;
  const failure = { file: 'migrations/0002_own.sql', message: 'relation "a" does not exist', hint };
  expect(dry).toMatchObject({ ok: false, error: [failure] });
  expect(await connected((client) => applyMigrations(client, all, options()))).toMatchObject({
    ok: false,
    error: [failure],
  });
});

test('P27d files of one change are renamed together, from the last one on', () => {
  const names = ['0001_first', '0002_aaa', '0002_zzz', '0003_aaa', '0003_zzz', '0004_more'];
  const moves =
    'git mv migrations/0003_zzz.sql migrations/0006_zzz.sql && git mv migrations/0002_zzz.sql migrations/0005_zzz.sql';
  expect(describeSameNumbers(names.map((name) => migration(name, '')))).toEqual([
    `0002_aaa and 0002_zzz have the same number, and apply in this order. To apply 0002_zzz and 0003_zzz after all others, rename them before a database that matters has them: ${moves}`,
  ]);
});

test('P27d files of several changes of a branch are renamed to different numbers', () => {
  const names = ['0001_first', '0002_due', '0002_tags', '0003_due', '0003_note'];
  const notes = describeSameNumbers(names.map((name) => migration(name, '')));
  expect(notes.map((note) => note.slice(note.indexOf('git mv')))).toEqual([
    'git mv migrations/0002_tags.sql migrations/0004_tags.sql',
    'git mv migrations/0003_note.sql migrations/0005_note.sql',
  ]);
});

test('P27e a failing file leaves those before it, reports its place, and rolls back whole', async () => {
  const bad = migration('0002_bad', "insert into a values (1);\ninsert into a values ('x');\n");
  const result = await connected((client) => applyMigrations(client, [CREATE, bad, LAST], options()));
  expect(result.ok ? [] : result.error).toMatchObject([
    { file: 'migrations/0002_bad.sql', sqlstate: '22P02', place: { line: 2, column: 23 } },
  ]);
  expect(await read('select x from a')).toEqual([]);
  expect(await read('select name from rowhouse.migrations')).toEqual(['0001_create']);
});

test('P27m rows without a value for a column that becomes NOT NULL: the hint says where to fill them', async () => {
  const [fill, set] = ['update a set y = x', 'alter table a alter y set not null'];
  const before = [CREATE, INSERT, migration('0003_y', 'alter table a add y integer')];
  const hint =
    'Rows that exist have no value for the column. Nothing of this file is applied: fill the column in it, before this statement.';
  const bad = migration('0004_set', set);
  const result = await connected((client) => applyMigrations(client, [...before, bad], options()));
  expect(result.ok ? [] : result.error).toMatchObject([
    { file: 'migrations/0004_set.sql', sqlstate: '23502', hint, place: { line: 1 } },
  ]);
  const good = migration('0004_set', `${fill};\n${set}`);
  expect(await connected((client) => applyMigrations(client, [...before, good], options()))).toEqual({
    ok: true,
    value: 1,
  });
});

test.each([
  ['begin; select 1', 'a migration must not begin or end a transaction'],
  ['select 1;\ncommit', 'a migration must not begin or end a transaction'],
  ['-- rowhouse: no transaction\nselect 1; select 2', 'a file without a transaction holds one statement, not 2'],
  ['\\copy a from b', 'only SQL statements run in a migration'],
])('P27f refuses %s', async (text, message) => {
  const result = await connected((client) => applyMigrations(client, [CREATE, migration('0002_x', text)], options()));
  expect(result.ok ? [] : result.error).toMatchObject([{ message }]);
  expect(await read(`select to_regclass('a')`)).toEqual([null]);
});

test('P27g what a file sets for its session does not reach the next one, nor the ledger', async () => {
  const odd = migration('0002_odd', `set search_path to ''; set role pg_monitor; set statement_timeout = '1h'`);
  const next = migration(
    '0003_next',
    `create table settings as select current_user::text, current_setting('statement_timeout') as timeout, current_setting('lock_timeout') as wait`,
  );
  expect(await connected((client) => applyMigrations(client, [CREATE, odd, next], options()))).toMatchObject({
    ok: true,
  });
  expect(await read('select timeout || wait from settings')).toEqual(['050ms']);
});

test('P27h a lock that is held is tried again, up to 10 times', async () => {
  await connected((client) => applyMigrations(client, [CREATE], options()));
  await connected(async (holder) => {
    await holder.query('begin; lock table a in access share mode');
    const reported: string[] = [];
    const attempts: number[] = [];
    const release = async (milliseconds: number): Promise<void> => {
      attempts.push(milliseconds);
      if (attempts.length === 3) await holder.query('commit');
    };
    const result = await connected((client) =>
      applyMigrations(client, [CREATE, LAST], { ...options(reported), pause: release }),
    );
    expect(result).toEqual({ ok: true, value: 1 });
    expect(attempts).toEqual([100, 200, 400]);
  });
});

test('P27i after 10 attempts it gives up, and nothing has changed', async () => {
  await connected((client) => applyMigrations(client, [CREATE], options()));
  await connected(async (holder) => {
    await holder.query('begin; lock table a in access share mode');
    const result = await connected((client) =>
      applyMigrations(client, [CREATE, LAST], { ...options(), lockTimeout: 1 }),
    );
    expect(result.ok ? [] : result.error).toMatchObject([{ sqlstate: '55P03', file: 'migrations/0010_last.sql' }]);
    expect(result.ok ? '' : result.error[0]?.hint).toContain('Gave up after 10 attempts');
  });
});

test('P27j two runs at once apply each file once', async () => {
  const slow = migration('0002_slow', 'select pg_sleep(0.2); insert into a values (1)');
  const patient = { ...options(), lockTimeout: 60_000 };
  const run = (): Promise<unknown> => connected((client) => applyMigrations(client, [CREATE, slow], patient));
  const results = await Promise.all([run(), run(), run()]);
  expect(results.map((result) => JSON.stringify(result)).toSorted()).toEqual([
    '{"ok":true,"value":0}',
    '{"ok":true,"value":0}',
    '{"ok":true,"value":2}',
  ]);
  expect(await read('select x from a')).toEqual([1]);
});

test('P27k a baseline records without running, and the API is told to reload only after changes', async () => {
  const heard: string[] = [];
  await withConnection(database.uri, async (listener) => {
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.query('listen reload; create table a (x integer)');
    const recorded = await connected((client) => recordBaseline(client, ALL, '0002_insert.sql', options()));
    expect(recorded).toEqual({ ok: true, value: 2 });
    await listener.query('select 1');
    expect(heard).toEqual([]);
    expect(await connected((client) => applyMigrations(client, ALL, options()))).toEqual({ ok: true, value: 2 });
    await listener.query('select 1');
    expect(heard).toEqual(['reload schema']);
  });
  expect(await read('select x from a')).toEqual([]);
  const unknown = await connected((client) => recordBaseline(client, ALL, 'x', options()));
  expect(unknown.ok ? '' : unknown.error[0]?.message).toBe('there is no migration x');
});

test('P28 an invalid index of that name is dropped first', async () => {
  const unique = migration(
    '0003_unique',
    '-- rowhouse: no transaction\ncreate unique index concurrently "A x" on public.a (x)',
  );
  const repeated = migration('0002_insert', 'insert into a values (1); insert into a values (1)');
  const failed = await connected((client) => applyMigrations(client, [CREATE, repeated, unique], options()));
  expect(failed.ok ? [] : failed.error).toMatchObject([{ sqlstate: '23505' }]);
  expect(await read(`select indisvalid from pg_index where indrelid = 'a'::regclass`)).toEqual([false]);
  await read('delete from a where ctid = (select ctid from a limit 1)');
  expect(await connected((client) => applyMigrations(client, [CREATE, repeated, unique], options()))).toEqual({
    ok: true,
    value: 1,
  });
  expect(await read(`select indisvalid from pg_index where indrelid = 'a'::regclass`)).toEqual([true]);
});

/** A client whose connection ends before or after a query. */
function breakAt(client: Client, at: number, isDone: boolean): Client {
  let count = 0;
  const query = async (...args: readonly unknown[]): Promise<unknown> => {
    count += 1;
    if (count > at) throw new Error('connection lost');
    if (count === at && !isDone) throw new Error('connection lost');
    const reply: unknown = await Reflect.apply(client.query, client, args);
    if (count === at) throw new Error('connection lost');
    return reply;
  };
  return { query } as unknown as Client;
}

test('P28b killed before or after any statement, the next run continues where it stopped', async () => {
  const drop = migration('0011_drop', '-- rowhouse: no transaction\ndrop index concurrently a_x');
  const migrations = [...ALL, drop];
  let total = 0;
  await connected(async (client) => {
    const query = async (...args: readonly unknown[]): Promise<unknown> => {
      total += 1;
      return Reflect.apply(client.query, client, args) as Promise<unknown>;
    };
    await applyMigrations({ query } as unknown as Client, migrations, options());
  });
  expect(total).toBeGreaterThan(20);
  for (let at = 1; at <= total; at += 1) {
    for (const isDone of isLong ? [false, true] : [at % 2 === 0]) {
      await runSql(database.uri, 'drop table if exists a; drop schema if exists rowhouse cascade');
      await connected(async (client) => {
        await expect(applyMigrations(breakAt(client, at, isDone), migrations, options())).rejects.toThrow(
          'connection lost',
        );
      });
      const result = await connected((client) =>
        applyMigrations(client, migrations, { ...options(), lockTimeout: 60_000 }),
      );
      expect([at, isDone, result.ok]).toEqual([at, isDone, true]);
      expect(await read('select x * 10 + y from a order by x')).toEqual([17, 27]);
      expect(await read('select count(*)::integer from rowhouse.migrations where applied_at is not null')).toEqual([5]);
      expect(await read(`select count(*)::integer from pg_index where indrelid = 'a'::regclass`)).toEqual([0]);
    }
  }
});

test('P29 a rehearsal runs everything, rolls it back and names what it could not run', async () => {
  const label = migration('0004_label', `create type state as enum ('new')`);
  const more = migration('0005_more', `alter type state add value 'old'`);
  const use = migration('0006_use', `create table b (state state default 'old'); insert into b default values`);
  await connected((client) => applyMigrations(client, [CREATE, label], options()));
  const rehearsed = await connected((client) =>
    rehearseMigrations(client, [CREATE, INDEX, label, more, use], options()),
  );
  expect(rehearsed).toEqual({
    ok: true,
    value: {
      run: ['0005_more'],
      notRun: [
        ['0003_index', 'it runs outside of a transaction'],
        ['0006_use', 'it uses an enum value that must be committed first'],
      ],
    },
  });
  expect(await read(`select enumlabel::text from pg_enum`)).toEqual(['new']);
});

test('P29b a rehearsal fails where the migration would, also at the end of its transaction', async () => {
  const deferred = migration(
    '0002_key',
    `create table b (id integer primary key, a integer references b deferrable initially deferred); insert into b values (1, 2)`,
  );
  const result = await connected((client) => rehearseMigrations(client, [CREATE, deferred], options()));
  const problem = {
    file: 'migrations/0002_key.sql',
    place: undefined,
    sqlstate: '23503',
    message: 'insert or update on table "b" violates foreign key constraint "b_a_fkey"',
    detail: 'Key (a)=(2) is not present in table "b".',
  };
  expect(result.ok ? [] : result.error).toEqual([problem]);
  expect(await read(`select to_regclass('a'), to_regclass('rowhouse.migrations')`)).toEqual([null]);
  const applied = await connected((client) => applyMigrations(client, [CREATE, deferred], options()));
  expect(applied.ok ? [] : applied.error).toEqual([problem]);
});

test('P29d in a rehearsal, too, settings of a file end with it, and a file that needs one not run is named', async () => {
  const odd = migration('0002_odd', `set search_path to ''; set role pg_monitor`);
  const use = migration('0004_use', 'alter table a add constraint a_x_key unique using index a_x');
  const index = migration('0003_index', '-- rowhouse: no transaction\ncreate unique index concurrently a_x on a (x)');
  const all = [CREATE, odd, index, use, migration('0005_last', 'alter table a add y integer')];
  expect(await connected((client) => rehearseMigrations(client, all, options()))).toEqual({
    ok: true,
    value: {
      run: ['0001_create', '0002_odd', '0005_last'],
      notRun: [
        ['0003_index', 'it runs outside of a transaction'],
        ['0004_use', 'it may need one that was not run: index "a_x" does not exist'],
      ],
    },
  });
  expect(await connected((client) => applyMigrations(client, all, options()))).toEqual({ ok: true, value: 5 });
});

test('P29c the status lists applied, pending, changed and missing files', async () => {
  expect(renderStatus([CREATE], await connected(readLedger))).toBe('0001_create  pending\n');
  await connected((client) => applyMigrations(client, [CREATE, INSERT, LAST], options()));
  const changed = migration('0010_last', 'select 1');
  const lines = renderStatus([CREATE, INDEX, changed], await connected(readLedger)).split('\n');
  expect(lines.map((line) => line.replaceAll(/\d{4}-\S+|\d+ ms/gu, '*'))).toEqual([
    '0001_create  applied * in *',
    '0002_insert  applied * in *, but its file is missing',
    '0003_index  pending',
    '0010_last  applied * in *, but its file was changed since',
    '',
  ]);
});

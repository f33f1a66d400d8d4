// What `rowhouse dev DIR` asks, refuses and reports about a save (`project.md` §2). One project, one file for each test.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { Stopwatch } from '../../../tools/project/dev/report.ts';
import { useEditedProjects } from './edited-project.ts';

const project = await useEditedProjects()({ 'schema/empty.sql': 'create schema api;' });

beforeEach(async () => {
  project.answer = () => true;
  await project.save(Object.fromEntries(project.files().map((file) => [file, undefined])));
  await project.client.query('drop schema if exists api cascade');
  await project.save({ 'schema/api.sql': 'create schema api;' });
  project.answer = () => undefined;
});

const SAVED = /^schema\/a\.sql: .+, \d+\.\d\d s$/u;
const save = (sql: string): Promise<string> => project.save({ 'schema/a.sql': sql });

describe('losses', () => {
  test.each<[what: string, from: string, rows: string, to: string, losses: readonly string[]]>([
    [
      'a table with rows',
      'create table api.t (id int);',
      'insert into api.t values (1), (2)',
      '',
      ['table t with 2 rows'],
    ],
    [
      'a column with values',
      'create table api.t (id int, a text, b text);',
      `insert into api.t values (1, 'x', null), (2, null, null)`,
      'create table api.t (id int);',
      ['column t.a with 1 value'],
    ],
    [
      'a shorter type',
      'create table api.t (a varchar(9));',
      `insert into api.t values ('long one'), ('short')`,
      'create table api.t (a varchar(5));',
      ['1 value of column t.a (character varying(9) to character varying(5))'],
    ],
    [
      'a type without the fraction',
      'create table api.t (a numeric);',
      'insert into api.t values (1.5), (2)',
      'create table api.t (a int);',
      ['1 value of column t.a (numeric to integer)'],
    ],
    [
      'a type that cannot hold a value',
      'create table api.t (a text);',
      `insert into api.t values ('x')`,
      'create table api.t (a int);',
      ['values of column t.a (text to integer): invalid input syntax for type integer: "x"'],
    ],
    [
      'a removed enum value',
      `create type api.e as enum ('a', 'b', 'c'); create table api.t (e api.e, l api.e[]);`,
      `insert into api.t values ('a', '{c}'), ('b', '{b,c}')`,
      `create type api.e as enum ('a', 'b'); create table api.t (e api.e, l api.e[]);`,
      ['2 values of column t.l (c)'],
    ],
    [
      'an attribute of a composite type',
      'create type api.pair as (a int, b int); create table api.t (p api.pair, l api.pair[]);',
      `insert into api.t values (row(1, 2), array[row(1, null)::api.pair])`,
      'create type api.pair as (a int); create table api.t (p api.pair, l api.pair[]);',
      ['attribute pair.b with 1 value in column t.p'],
    ],
    [
      'a partition with rows',
      'create table api.t (a int) partition by range (a); create table api.t1 partition of api.t for values from (0) to (9);',
      'insert into api.t values (1)',
      'create table api.t (a int) partition by range (a);',
      ['table t1 with 1 row'],
    ],
  ])(
    'P10 %s is counted and asked; without an answer everything of the save waits',
    async (_, from, rows, to, losses) => {
      await save(from);
      await project.client.query(rows);
      const before = await project.read('select * from api.t');
      const held = await save(`${to} create view api.waiting as select 1 as x;`);
      expect(project.questions).toEqual([
        `This change loses data:\n${losses.map((loss) => `  ${loss}\n`).join('')}Apply it?`,
      ]);
      expect(held).toBe(
        [
          'Held back, because it would lose data:',
          ...losses.map((loss) => `  ${loss}`),
          'Nothing of this save was applied. Answer in the explorer, start with --allow-loss, or change the files.',
          'After a rename, state the old name in the file: -- renamed from NAME',
          'To begin again with the rows in seed/, start with --fresh.',
        ].join('\n'),
      );
      expect(await project.read('select * from api.t')).toEqual(before);
      expect(await project.read(`select to_regclass('api.waiting')`)).toEqual([null]);
    },
  );

  test('P10 what is confirmed or allowed is applied, and what is empty is dropped without a question', async () => {
    await save('create table api.t (id int, a text, b text); create table api.u (id int);');
    await project.client.query(`insert into api.t values (1, 'x', null)`);
    expect(await save('create table api.t (id int, a text);')).toMatch(/- table u/u);
    expect(project.questions).toEqual([]);
    project.answer = () => true;
    expect(await save('create table api.t (id int);')).toMatch(SAVED);
    expect(project.questions).toHaveLength(1);
    await project.restart({ isLossAllowed: true });
    expect(await save('')).toMatch(/- table t/u);
    expect(project.questions).toEqual([]);
    await project.restart({ isLossAllowed: false });
  });

  test('P10b after a no, the same save asks again', async () => {
    await save('create table api.t (id int, a text);');
    await project.client.query(`insert into api.t values (1, 'x')`);
    project.answer = () => false;
    const refused = await save('create table api.t (id int);');
    expect(refused).toContain('Save again to be asked again, start with --allow-loss, or change the files.');
    expect(await project.update()).toBe(refused);
    expect(project.questions).toHaveLength(1);
    project.answer = () => true;
    expect(await project.update()).toMatch(SAVED);
    expect(project.questions).toHaveLength(1);
    expect(await project.update()).toBe('');
  });

  test('P10c the time of a save leaves out the time in which a person answers', async () => {
    const watch = new Stopwatch(undefined);
    await watch.leaveOut(sleep(300));
    expect(watch.total).toBeLessThan(300);
  });

  test('P10 values are counted under the names before a rename', async () => {
    await save('create table api.t (id int, a text, b text);');
    await project.client.query(`insert into api.t values (1, 'x', 'y')`);
    const held = await save('-- renamed from t\ncreate table api.u (\n  key int, -- renamed from id\n  a int\n);');
    expect(held).toContain('  column u.b with 1 value\n  values of column u.a (text to integer): invalid input syntax');
    expect(await project.read('select * from api.t')).toEqual([1, 'x', 'y']);
  });
});

test('P9 a save without a change says so, also where PostgreSQL keeps options of its own for columns', async () => {
  await save('create table api.t (id int, name text);');
  expect(await save('create table api.t (id int, name text); -- same')).toMatch(/^schema\/a\.sql: no change, /u);
});

test('P8 a column that rows have no value for is refused with its place and both ways out', async () => {
  await save('create table api.t (id int);');
  await project.client.query('insert into api.t values (1)');
  const missing = 'create table api.t (\n  id int,\n  size int not null\n);';
  const reason =
    'rows of api.t need a value for size (schema/a.sql:3), which is NOT NULL. Give it a default; or make it nullable, fill it, and then make it NOT NULL.\nTo begin again with the rows in seed/, start with --fresh.';
  expect(await save(missing)).toBe(`Not applied: ${reason}`);
  expect(await project.read('select * from api.t')).toEqual([1]);
  expect(await save('create table api.t (id int, size int);')).toMatch(SAVED);
  expect(await save(missing)).toBe(`Not applied: ${reason}`);
  await project.client.query('update api.t set size = 5');
  expect(await save(`${missing}\n`)).toMatch(SAVED);
  expect(await project.read('select * from api.t')).toEqual([1, 5]);
});

describe('renames', () => {
  test('P11 one column, or one table of the same columns: a question, and the values stay', async () => {
    await save(
      'create table api.t (id serial primary key, a text); create index on api.t (a); create view api.v as select a from api.t;',
    );
    await project.client.query(`insert into api.t (a) values ('x'), ('y')`);
    project.answer = () => true;
    expect(
      await save(
        'create table api.t (id serial primary key, b text); create index on api.t (b); create view api.v as select b as a from api.t;',
      ),
    ).toContain('~ column t.a renamed to b');
    expect(project.questions).toEqual(['Was the column t.a renamed to b?']);
    expect(
      await save(
        'create table api.u (id serial primary key, b text); create index on api.u (b); create view api.v as select b as a from api.u;',
      ),
    ).toContain('~ table t renamed to u');
    expect(project.questions).toEqual(['Was the table t renamed to u?']);
    expect(await project.findDrift()).toEqual([]);
    expect(await project.read(`insert into api.u (b) values ('z') returning id`)).toEqual([3]);
    expect(await project.read('select b from api.u order by id')).toEqual(['x', 'y', 'z']);
  });

  test('P11 without an answer: held back if values would be lost, else dropped and added', async () => {
    await save('create table api.t (id int, a text);');
    await project.client.query('insert into api.t (id) values (1)');
    expect(await save('create table api.t (id int, b text);')).toMatch(SAVED);
    await project.client.query(`update api.t set b = 'x'`);
    expect(await save('create table api.t (id int, c text);')).toContain('column t.b with 1 value');
    expect(await project.read('select b from api.t')).toEqual(['x']);
  });

  test('P11 a comment in the file answers, also with other changes at once, and does nothing later', async () => {
    await save('create table api.t (id int, a varchar(9), b text);');
    await project.client.query(`insert into api.t values (1, 'x', 'y')`);
    const renamed =
      '-- renamed from t\r\ncreate table api.u (id int, -- the key\r\n  "New one" text not null default \'-- renamed from b\', -- renamed from a\r\n  n numeric(9,\r\n    2), b text -- renamed from nothing\r\n);\r\n';
    expect(await save(renamed)).toContain('~ table t renamed to u, ~ column u.a renamed to New one');
    expect(project.questions).toEqual([]);
    expect(await project.read('select "New one", b from api.u')).toEqual(['x', 'y']);
    expect(await save(`${renamed}create table api.t (id int);`)).toMatch(/: \+ table t, /u);
    expect(await project.findDrift()).toEqual([]);
  });

  test('P11 text in a string, a line of its own or a name that is there renames nothing', async () => {
    await save('create table api.t (a text, b text);');
    await project.client.query(`insert into api.t values ('x', 'y')`);
    const files = [
      `comment on schema api is '\n-- renamed from t\n';\ncreate table api.u (a text, b text);`,
      'create table api.t (\n  -- renamed from a\n  c text,\n  b text);',
      'create table api.t (c int default length($$ -- renamed from a\n$$),\n b text);',
    ];
    for (const file of files) expect(await save(file)).toContain('Held back');
  });
});

describe('broken files', () => {
  test('P12 the previous schema stays, the place is shown, and a correction clears it', async () => {
    await save('create table api.t (id int);');
    expect(await save('create table api.t (id int);\n  create view api.v as select näme, 😀 from api.t;')).toBe(
      [
        'schema/a.sql:2:31: column "näme" does not exist',
        '  2 |   create view api.v as select näme, 😀 from api.t;',
        '    |                               ^',
        'The previous schema stays in use.',
      ].join('\n'),
    );
    expect(await project.read(`select to_regclass('api.t')::text`)).toEqual(['api.t']);
    expect(await save('create table api.t (id int);')).toMatch(/^schema\/a\.sql: no change, /u);
    expect(await save('create table api.t (id int, b int);')).toMatch(/\+ column t\.b/u);
  });

  test('P12 causes come first, and what only follows from them is marked', async () => {
    const printed = await project.save({
      'schema/a.sql': 'create view api.a as select * from api.b;',
      'schema/b.sql': 'create view api.b as select * from api.c;',
      'schema/c.sql': 'create view api.c as select nothing from pg_class;',
    });
    expect(printed.split('\n').filter((line) => !/^\s/u.test(line))).toEqual([
      'schema/c.sql:1:29: column "nothing" does not exist',
      'schema/a.sql:1:36: relation "api.b" does not exist (follows from the error above)',
      'schema/b.sql:1:36: relation "api.c" does not exist (follows from the error above)',
      'The previous schema stays in use.',
    ]);
  });

  test('P12 detail and hint are shown, the body of a function has its place, and passwords are masked', async () => {
    expect(await save('create table api.t (id int primary key);\ncreate table api.t (id int);')).toContain(
      'schema/a.sql:2:1: relation "t" already exists',
    );
    expect(
      await save('create function api.f() returns int language plpgsql as $f$\nbegin\n  return 1\nend $f$;'),
    ).toMatch(/^schema\/a\.sql:4:5: /u);
    expect(await save(`create view api.v as select api.missing(1);`)).toContain('\n  HINT: ');
    const printed = await save(
      `create extension if not exists postgres_fdw;create server s foreign data wrapper postgres_fdw;\ncreate user mapping for nobody_at_all server s options (user 'ann', password 'hunter2');`,
    );
    expect(printed).toContain(`options (user '***', password '*******')`);
    expect(printed).not.toContain('hunter2');
  });

  const REFUSED: readonly [sql: string, message: string, hint: string][] = [
    [
      'create unique index concurrently i on api.t (id);',
      '`create index concurrently` cannot run in a transaction',
      'Write `create index` here',
    ],
    ['/* first */ begin;', 'must not begin or end a transaction', 'omit this statement'],
    ['commit;', 'must not begin or end a transaction', 'omit this statement'],
    ['vacuum api.t;', 'concerns the whole server', 'psql'],
    [`alter system set work_mem = '1MB';`, 'concerns the whole server', 'psql'],
    ['create database x;', 'concerns the whole server', 'psql'],
    ['create role x;', 'roles belong to the whole server', 'roles.sql'],
    ['grant pg_monitor to postgres;', 'memberships of roles', 'roles.sql'],
    [`do $$ begin create role rowhouse_in_a_block; end $$;`, 'creates the role "rowhouse_in_a_block"', 'roles.sql'],
    ['do $$ begin commit; end $$;', 'invalid transaction termination', 'omit COMMIT and ROLLBACK'],
    [
      `create subscription s connection 'host=/nowhere' publication p;`,
      'cannot run inside a transaction block',
      'create_slot = false',
    ],
    [
      'create table api.t (a int) partition by range (a); create table api.p partition of api.t default; alter table api.t detach partition api.p concurrently;',
      'cannot run inside a transaction block',
      'describe the schema as it should be',
    ],
    ['create table api.t (); insert into api.t default values;', 'changes rows', 'seed/'],
  ];

  test('P15 statements that a project cannot follow are errors that say what to write instead', async () => {
    for (const [sql, message, hint] of REFUSED) {
      const printed = await save(sql);
      expect(printed).toMatch(/^schema\/a\.sql(?::1:\d+)?: /u);
      expect(printed).toContain(message);
      expect(printed).toContain(hint);
    }
  });

  test('P15 the same words in bodies, comments and names are fine', async () => {
    const sql = `-- begin;\n/* vacuum; */ create table api.t (id int, "begin" int, commit int);\ncreate function api.f() returns int begin atomic select case when true then 1 end; end;\ncreate procedure api.p() language plpgsql as $$ begin commit; end $$;`;
    expect(await save(sql)).toMatch(SAVED);
    expect(await project.findDrift()).toEqual([]);
  });
});

describe('changes by other hands', () => {
  test('P14 they stay and are shown once, also after a restart; what the files dropped is dropped', async () => {
    await save('create table api.t (id int); create table api.u (id int);');
    await project.client.query(
      'create table api.hand (id int); alter table api.t add own int; create index mine on api.t (own); create view api.see as select own from api.t; grant select on api.t to public',
    );
    const printed = await save('create table api.t (id int, b int); create table api.u (id int);');
    expect(
      printed
        .split('\n')
        .filter((line) => line.includes('stays'))
        .sort(),
    ).toEqual([
      'column t.own is in the database but not in the files, and stays. It could go to schema/t.sql.',
      'index mine is in the database but not in the files, and stays. It could go to schema/mine.sql.',
      'table hand is in the database but not in the files, and stays. It could go to schema/hand.sql.',
      'view see is in the database but not in the files, and stays. It could go to schema/see.sql.',
    ]);
    await project.restart();
    const later = await save('create table api.t (id bigint, b int);');
    expect(later).toMatch(/^schema\/a\.sql: [^\n]*- table u[^\n]*$/u);
    expect(
      await project.read(
        `select to_regclass('api.hand')::text, to_regclass('api.mine')::text, to_regclass('api.see')::text, to_regclass('api.u')::text, has_table_privilege('public', 'api.t', 'select')`,
      ),
    ).toEqual(['api.hand', 'api.mine', 'api.see', null, true]);
    expect(await save('create table api.t (id bigint, b int); create table api.hand (id int);')).toMatch(/no change/u);
    expect(await save('create table api.t (id bigint, b int);')).toMatch(/- table hand/u);
  });

  test('P14 what somebody makes while a question waits stays, and the question is asked again', async () => {
    await save('create table api.t (id int, a text);');
    project.answer = async () => {
      await project.client.query('create table if not exists api.hand (id int)');
      return true;
    };
    expect(await save('create table api.t (id int, b text);')).toContain('~ column t.a renamed to b');
    const question = 'Was the column t.a renamed to b?';
    expect(project.questions).toEqual([question, question]);
    expect(await project.read(`select to_regclass('api.hand')::text`)).toEqual(['api.hand']);
  });

  test('P14 a change that somebody makes by hand between two saves is not overwritten, nor is the state kept in memory used', async () => {
    await save('create table api.t (id int);');
    await project.client.query('drop table api.t; create table api.t (id int, more int)');
    expect(await save('create table api.t (id int, b int);')).toMatch(/\+ column t\.b/u);
    expect(
      await project.read(
        `select attname from pg_attribute where attrelid = 'api.t'::regclass and attnum > 0 order by 1`,
      ),
    ).toEqual(['b', 'id', 'more']);
    expect(await project.isUpToDate()).toBe(true);
    await project.client.query('alter table api.t drop b');
    expect(await project.isUpToDate()).toBe(false);
  });
});

test('P16 objects that cannot be changed in place are named once', async () => {
  const sql = `create table api.t (a int, b int);\ncreate operator class api.o for type int using btree as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 btint4cmp(int, int);`;
  const printed = await save(sql);
  expect(printed.split('\n')[0]).toBe(
    'operator family api.o using btree, operator class api.o using btree cannot be changed in place: --fresh recreates the database.',
  );
  expect(await save(`${sql}create view api.v as select 1 as x;`)).toMatch(/^schema\/a\.sql: \+ view v, /u);
  expect(await save('create type api.pair as (a int); create table api.u (p api.pair);')).toMatch(SAVED);
  const refused = await save('create type api.pair as (a text); create table api.u (p api.pair);');
  expect(refused).toMatch(
    /^Not applied: composite type .*"pair".*\nIf this cannot be changed in place, --fresh recreates the database\.$/u,
  );
});

test('P16b text search, casts, statistics and operators follow the files, also where a column uses them', async () => {
  const objects = `create text search configuration api.c (parser = default);
alter text search configuration api.c add mapping for word, asciiword with simple;
create table api.t (a int, b int, body text, v tsvector generated always as (to_tsvector('api.c', body)) stored);
create statistics api.s on a, b from api.t;
create function api.f(api.t) returns int language sql immutable as 'select 1';
create cast (api.t as int) with function api.f(api.t);
create function api.e(point, point) returns boolean language sql immutable as 'select true';
create operator api.=== (function = api.e, leftarg = point, rightarg = point);`;
  const printed = await save(objects);
  expect(printed).toContain('+ table t, + text search configuration c, ');
  expect(printed).toMatch(/\+ cast \(api\.t as integer\), .*\+ extended statistics s, \d+\.\d\d s$/u);
  expect(await project.findDrift()).toEqual([]);
  expect(await save('create table api.t (a int, b int, body text);')).toMatch(SAVED);
  expect(await project.findDrift()).toEqual([]);
});

test('P8 defaults, comments and statistics of the columns of partitions follow the files', async () => {
  const parent = 'create table api.p (id int, v int default 1) partition by list (id);';
  await save(parent);
  await save(
    `${parent} create table api.p1 partition of api.p (v default 3) for values in (1); comment on column api.p1.v is 'Own';`,
  );
  await project.client.query('insert into api.p (id) values (1); insert into api.p1 (id) values (1)');
  expect(await project.read('select v from api.p order by v')).toEqual([1, 3]);
  expect(await project.findDrift()).toEqual([]);
  await save(`${parent} create table api.p1 partition of api.p for values in (1);`);
  expect(await project.findDrift()).toEqual([]);
});

test('P1 a new file that comes earlier runs earlier: grants on all tables include its tables', async () => {
  await project.save({
    'schema/b.sql': 'create table api.b ();',
    'schema/z.sql': 'grant select on all tables in schema api to public;',
  });
  await project.save({ 'schema/bb.sql': 'create table api.bb ();' });
  expect(await project.findDrift()).toEqual([]);
  await project.save({ 'schema/b.sql': undefined });
  expect(await project.findDrift()).toEqual([]);
});

describe('robustness', () => {
  test('P4 names of files and objects cannot affect the terminal', async () => {
    const [file, table] = ['schema/a\n\u001B[31m.sql', 'x\n\u001B[31m'];
    const [shownFile, shown] = [String.raw`schema/a\u000a\u001b[31m.sql`, String.raw`x\u000a\u001b[31m`];
    const made = await project.save({ [file]: `create table api."${table}" (id int);` });
    expect(made.replace(/\d\.\d\d/u, '0')).toBe(`${shownFile}: + table ${shown}, 0 s`);
    await project.client.query(`insert into api."${table}" values (1)`);
    expect(await project.save({ [file]: undefined })).toContain(`\n  table ${shown} with 1 row\n`);
    expect(await project.save({ [file]: 'oops' })).toContain(`${shownFile}:1:1: `);
    await project.client.query(`create table api."by hand\n" ()`);
    expect(await project.save({ [file]: `create table api."${table}" (id int, a int);` })).toContain(
      String.raw`table by hand\u000a is in the database but not in the files, and stays.`,
    );
  });

  test('P4 files that vanish while they are read, broken links and a folder that is gone change nothing', async () => {
    await save('create table api.t (id int);');
    symlinkSync(path.join(project.folder, 'nowhere.sql'), path.join(project.folder, 'schema/link.sql'));
    expect(await project.update()).toBe('');
    renameSync(path.join(project.folder, 'schema'), path.join(project.folder, 'away'));
    expect(await project.update()).toMatch(/has no folder schema\/\nThe previous schema stays in use\.$/u);
    renameSync(path.join(project.folder, 'away'), path.join(project.folder, 'schema'));
    expect(await project.update()).toMatch(/no change|^$/u);
    rmSync(path.join(project.folder, 'schema/link.sql'));
    mkdirSync(path.join(project.folder, 'schema/folder.sql'));
    writeFileSync(path.join(project.folder, 'schema/folder.sql/x.sql'), 'create table api.x ();\r\n');
    expect(await project.update()).toMatch(/\+ table x/u);
    rmSync(path.join(project.folder, 'schema/folder.sql'), { recursive: true });
    await project.update();
  });

  test('P4 lost connections are made again, and the save is applied', async () => {
    await save('create table api.t (id int);');
    for (const column of ['a', 'b', 'c']) {
      await project.endSessions();
      expect(await save(`create table api.t (id int, ${column} int);`)).toMatch(SAVED);
    }
    expect(await project.findDrift()).toEqual([]);
  });

  test('P4 connections that are lost during an update are made again, and the save is applied at once', async () => {
    await save('create table api.t (id int, a text);');
    project.answer = async () => {
      if (project.questions.length === 1) await project.endSessions();
      return true;
    };
    expect(await save('create table api.t (id int, b text);')).toMatch(
      /^schema\/a\.sql: ~ column t\.a renamed to b, \d+\.\d\d s$/u,
    );
    const question = 'Was the column t.a renamed to b?';
    expect(project.questions).toEqual([question, question]);
    expect(await project.findDrift()).toEqual([]);
  });

  test('P9 saves that come faster than they can be applied end in the last state, with one report', async () => {
    const saves = Array.from({ length: 20 }, (_, index) => save(`create table api.t (${'x'.repeat(index + 1)} int);`));
    const printed = (await Promise.all(saves)).at(-1) ?? '';
    expect(await project.findDrift()).toEqual([]);
    expect(printed.split('\n').length).toBeLessThan(8);
  });
});

test('P14b a change by hand is to be loaded, even if a save has read the database since', async () => {
  await save('create table api.t (id int);');
  await project.isChangedByOthers();
  expect(await project.isChangedByOthers()).toBe(false);
  await project.client.query('create table api.by_hand (id int)');
  await save('create table api.t (id int); -- no change');
  expect(await project.isChangedByOthers()).toBe(true);
  expect(await project.isChangedByOthers()).toBe(false);
  await save('create table api.t (id int, more int);');
  expect(await project.isChangedByOthers()).toBe(false);
});

test('P11b a comma within the comment about a rename has its own hint', async () => {
  await save('create table api.t (a int, b int);');
  expect(await save('create table api.t (\n  c int -- renamed from a,\n  b int\n);')).toContain(
    '  HINT: In line 2, the comma is part of the comment. Write it before: …, -- renamed from a\n',
  );
  expect(await save('create table api.t (\n  b int,\n  c int -- renamed from a,\n);')).toMatch(/a renamed to c/u);
});

test('P9b a role that is created is a change, and so is whatever else roles.sql does', async () => {
  const role = `loop_${process.pid}`;
  try {
    expect(await project.save({ 'roles.sql': `create role ${role};` })).toMatch(
      new RegExp(`^roles\\.sql: \\+ role ${role}, \\d+\\.\\d\\d s$`, 'u'),
    );
    expect(
      await project.save({ 'roles.sql': `create role ${role};\nalter role ${role} set work_mem = '8MB';` }),
    ).toMatch(/^roles\.sql: roles\.sql has run, /u);
  } finally {
    await project.save({ 'roles.sql': undefined });
    await project.client.query(`drop role ${role}`);
  }
});

test('P3d a save in seed/ says how to run it', async () => {
  await project.save({ 'seed/rows.sql': 'select 1;' });
  expect(await project.save({ 'seed/rows.sql': 'select 2, 3;' })).toBe(
    'seed/rows.sql: not run, because seed/ runs once. Start with --reseed to empty the tables and run it again.',
  );
  expect(await project.update()).toBe('');
  await project.save({ 'seed/rows.sql': undefined });
});

test('P5b a table without a schema is named once if another one is served', async () => {
  project.serve(['api']);
  const text = 'create table public.meant (id int);\ncreate table "Not served" (id int);';
  const note =
    'schema/a.sql:2: public.Not served is not served (db-schemas = api). To serve it: create table api.Not served, or add public to db-schemas.';
  expect((await save(text)).split('\n').at(-1)).toBe(note);
  expect([...project.unserved.keys()]).toEqual(['Not served']);
  expect(await save(`${text} create table api.t (id int);`)).not.toContain('not served');
  await save('');
  expect([...project.unserved.keys()]).toEqual([]);
});

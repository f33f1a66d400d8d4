import { expect, test } from 'vitest';
import { loadCache } from '../../support/load-cache.ts';
import { describeChanges } from '../../../tools/dev/describe-changes.ts';

test('changes of the API are named: columns that come, go and are renamed, tables and functions', async () => {
  const before = await loadCache(`create schema api;
    create table api.todos (id int, due date, title text, old int);
    create table api.gone (id int);
    create function api.add(a int) returns int language sql return a;`);
  const now = await loadCache(`create schema api;
    create table api.todos (id int, due_on date, title varchar not null, note text);
    create table api.fresh (id int);
    create function api.add(a int, b int) returns int language sql return a + b;
    create function api.sub(a int) returns int language sql return -a;`);
  expect(describeChanges(before, before)).toEqual([]);
  expect(describeChanges(before, now)).toEqual([
    '- gone',
    'todos: + note, - old, due → due_on, title text → character varying, title must not be null',
    '+ fresh',
    'add(): (a integer) → (a integer, b integer)',
    '+ sub()',
  ]);
});

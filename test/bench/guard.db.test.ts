// Tests what the benchmark accepts: costs of a case against its base, and the command of a server beside it.
import { expect, test } from 'vitest';
import { CASES } from './bench-case.ts';
import { findSlower } from './guard.ts';
import type { Sample } from './servers/subject.ts';
import { splitCommand } from './servers/server-beside.ts';

const [bench] = CASES;

function sample(server: number, database: number | undefined): Sample {
  const databaseTime = database === undefined ? undefined : { user: database, system: 0 };
  return { rate: 100, p50: 1, p99: 2, serverTime: { user: server - 10, system: 10 }, databaseTime };
}

function compare(measured: readonly Sample[], base: readonly Sample[], again = base): readonly string[] {
  const samples = new Map([
    ['this', measured],
    ['base', base],
    ['base again', again],
  ]);
  return findSlower([{ bench: bench!, connections: 16, samples }]);
}

test('a case is slower if it costs more in every round', () => {
  const base = [sample(100, 50), sample(200, 50)];
  expect(compare([sample(120, 50), sample(220, 50)], base)).toEqual([
    'row by key, 16 connections: the server takes at least 1.10 times the CPU time of the base',
  ]);
  expect(compare([sample(150, 50), sample(205, 50)], base)).toEqual([]);
  expect(compare([sample(100, 60), sample(200, 65)], base)).toEqual([
    'row by key, 16 connections: the database takes at least 1.20 times the CPU time of the base',
  ]);
});

test('a case is not slower if two processes of the base differ as much', () => {
  const measured = [sample(120, 50), sample(120, 50)];
  const base = [sample(100, 50), sample(100, 50)];
  expect(compare(measured, base)).toHaveLength(1);
  expect(compare(measured, base, [sample(100, 50), sample(80, 50)])).toEqual([]);
});

test('without a base, or without its CPU time, no case is slower', () => {
  expect(compare([sample(150, 50)], [])).toEqual([]);
  expect(compare([sample(100, 50)], [sample(100, undefined)])).toEqual([]);
});

test('the command of another server names its configuration file', () => {
  expect(splitCommand(' postgrest  {config}', '/tmp/a b/server.conf')).toEqual(['postgrest', '/tmp/a b/server.conf']);
  expect(() => splitCommand('postgrest', '/tmp/server.conf')).toThrow('{config}');
});

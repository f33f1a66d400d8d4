// Tests what the benchmark accepts: costs of a case against its base, and the command of a server beside it.
import { expect, test } from 'vitest';
import { CASES } from './bench-case.ts';
import { findSlower } from './guard.ts';
import type { Sample } from './servers/subject.ts';
import { splitCommand } from './servers/server-beside.ts';

const [bench] = CASES;

function sample(process: number, server: number, database: number | undefined): Sample {
  const databaseTime = database === undefined ? undefined : { user: database, system: 0 };
  return { process, rate: 100, p50: 1, p99: 2, serverTime: { user: server - 10, system: 10 }, databaseTime };
}

function compare(measured: readonly Sample[], base: readonly Sample[]): readonly string[] {
  const samples = new Map([
    ['this', measured],
    ['base', base],
  ]);
  return findSlower([{ bench: bench!, connections: 16, samples }]);
}

test('a case is slower if each process costs more than each of the base', () => {
  const base = [sample(0, 100, 50), sample(1, 110, 50)];
  expect(compare([sample(0, 132, 50), sample(1, 121, 50)], base)).toEqual([
    'row by key, 16 connections: the server takes at least 1.10 times the CPU time of the base',
  ]);
  expect(compare([sample(0, 150, 50), sample(1, 115, 50)], base)).toEqual([]);
  expect(compare([sample(0, 100, 60), sample(1, 100, 65)], base)).toEqual([
    'row by key, 16 connections: the database takes at least 1.20 times the CPU time of the base',
  ]);
});

test('the median counts for a process', () => {
  const base = [sample(0, 100, 50), sample(0, 101, 50), sample(0, 900, 50)];
  expect(compare([sample(0, 90, 50), sample(0, 130, 50), sample(0, 131, 50)], base)).toEqual([
    'row by key, 16 connections: the server takes at least 1.29 times the CPU time of the base',
  ]);
});

test('without a base, or without its CPU time, no case is slower', () => {
  expect(compare([sample(0, 150, 50)], [])).toEqual([]);
  expect(compare([sample(0, 100, 50)], [sample(0, 100, undefined)])).toEqual([]);
});

test('the command of another server names its configuration file', () => {
  expect(splitCommand(' postgrest  {config}', '/tmp/a b/server.conf')).toEqual(['postgrest', '/tmp/a b/server.conf']);
  expect(() => splitCommand('postgrest', '/tmp/server.conf')).toThrow('{config}');
});

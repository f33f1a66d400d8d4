// The house's rules on imports: rooms see only what stands before them, nothing runs in circles, the core touches no Node.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../src/', import.meta.url));

/** In the order in which they may see each other: each room sees those before it. Files at the top are rooms too. */
const ROOMS = [
  'contract',
  'media',
  'errors',
  'config',
  'auth',
  'request',
  'catalog',
  'plan',
  'sql',
  'prepare',
  'openapi',
  'typegen',
  'response',
  'observe',
  'request-context.ts',
  'handle-request.ts',
  'check-head.ts',
  'postgres',
  'runtime',
  'embedded',
  'server',
  'cli',
  'index.ts',
];

/** The rooms that may do I/O; everything else is pure. */
const EDGE = new Set(['postgres', 'runtime', 'embedded', 'server', 'cli', 'index.ts']);

const modules = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(path.sep).join('/'));

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [
    ...text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gmu),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function localImportsOf(file: string): readonly string[] {
  return importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => path.posix.normalize(path.posix.join(path.posix.dirname(file), target)));
}

test('more than 50 modules are seen, each in a known room', () => {
  expect(modules.length).toBeGreaterThan(50);
  expect(modules.filter((file) => !ROOMS.includes(roomOf(file)))).toEqual([]);
});

test('every local import leads to a module', () => {
  const missing = modules.flatMap((file) =>
    localImportsOf(file)
      .filter((target) => !modules.includes(target))
      .map((target) => `${file} → ${target}`),
  );
  expect(missing).toEqual([]);
});

test('a room imports only from rooms before it', () => {
  const wrong = modules.flatMap((file) =>
    localImportsOf(file)
      .filter((target) => ROOMS.indexOf(roomOf(target)) > ROOMS.indexOf(roomOf(file)))
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('no imports run in a circle, type-only ones included', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (done.has(file) || trail.includes(file)) return;
    for (const target of localImportsOf(file)) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of modules) visit(file, []);
  expect(circles).toEqual([]);
});

test('the core imports nothing of Node', () => {
  const wrong = modules
    .filter((file) => !EDGE.has(roomOf(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('node:') || target === 'pg')
        .map((target) => `${file} → ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('only the database room names the driver, beside the embedded database that loads SQL', () => {
  const users = modules.filter((file) => importsOf(file).includes('pg')).map(roomOf);
  expect(users.filter((room) => room !== 'postgres' && room !== 'embedded')).toEqual([]);
});

test('the way of a request fits on a page', () => {
  const lines = readFileSync(path.join(ROOT, 'handle-request.ts'), 'utf8').trimEnd().split('\n').length;
  expect(lines).toBeLessThanOrEqual(120);
});

test('no file is longer than 350 lines', () => {
  const long = modules.filter((file) => readFileSync(path.join(ROOT, file), 'utf8').split('\n').length > 350);
  expect(long).toEqual([]);
});

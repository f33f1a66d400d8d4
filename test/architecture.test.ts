// The house's rules on imports: rooms see only what stands before them, nothing runs in circles, the core touches no Node.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../src/', import.meta.url));

/** In the order in which they may see each other: each room sees those before it. Files at the top are rooms too. */
const ROOMS = [
  'util',
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
  'doctor',
  'response',
  'observe',
  'live',
  'request-context.ts',
  'prepare-request.ts',
  'idempotency',
  'batch',
  'answer-events.ts',
  'handle-request.ts',
  'check-head.ts',
  'mcp',
  'postgres',
  'service',
  'embedded',
  'http',
  'workers',
  'server',
  'cli',
  'index.ts',
];

/** Rooms that have rooms of their own, in the same order; files at the top of such a room come after these. */
const INNER_ROOMS: Readonly<Record<string, readonly string[]>> = {
  config: ['syntax', 'table', 'resolve', 'print'],
  auth: ['json-path'],
  request: ['query', 'payload', 'batch'],
  catalog: ['introspect'],
  plan: ['names', 'negotiation', 'levels', 'actions', 'writes', 'calls', 'refusals'],
  sql: ['text', 'levels', 'writes'],
  openapi: ['document', 'schema-document', 'swagger', 'openapi31'],
  typegen: ['introspect'],
  doctor: ['checks'],
  mcp: ['calls', 'requests', 'tools', 'protocol', 'http'],
  postgres: [
    'wire',
    'connect',
    'session',
    'replication',
    'stream',
    'results',
    'execute',
    'pool',
    'batches',
    'replicas',
  ],
  service: [
    'scheduling',
    'database',
    'logging',
    'tokens',
    'rates',
    'tracing',
    'configuration',
    'schema-cache',
    'streams',
    'supervision',
  ],
  embedded: ['cluster', 'script'],
  http: ['limits', 'receive', 'send', 'exchange', 'console', 'listen', 'admin', 'adapters'],
  cli: ['arguments', 'output', 'configuration', 'init', 'token', 'doctor', 'compare', 'mcp', 'access', 'serve'],
};

/** The rooms that may do I/O; everything else is pure. */
const EDGE = new Set(['postgres', 'service', 'embedded', 'http', 'workers', 'server', 'cli', 'index.ts']);

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

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Among what lies directly in a folder, where each folder counts with all that is in it. */
function circlesAmong(folder: string): readonly string[] {
  const entryOf = (file: string): string => `${folder}/${file.slice(folder.length + 1).split('/')[0] ?? ''}`;
  const inside = modules.filter((file) => file.startsWith(`${folder}/`));
  const arrows = new Map<string, Set<string>>();
  for (const file of inside) {
    const entry = entryOf(file);
    const targets = localImportsOf(file).filter((target) => target.startsWith(`${folder}/`));
    const others = targets.map((target) => entryOf(target)).filter((target) => target !== entry);
    arrows.set(entry, new Set([...(arrows.get(entry) ?? []), ...others]));
  }
  return findCircles([...arrows.keys()], (entry) => [...(arrows.get(entry) ?? [])]);
}

function findCircles(nodes: readonly string[], next: (node: string) => readonly string[]): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) circles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    if (done.has(node) || trail.includes(node)) return;
    for (const target of next(node)) visit(target, [...trail, node]);
    done.add(node);
  };
  for (const node of nodes) visit(node, []);
  return circles;
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

test('every room with folders has rooms in order', () => {
  const rooms = new Set(modules.filter((file) => file.split('/').length > 2).map(roomOf));
  expect([...rooms].sort()).toEqual(Object.keys(INNER_ROOMS).sort());
});

test('no folder has more than 25 files', () => {
  const counts = new Map<string, number>();
  for (const file of modules) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});

test('a room within a room imports only from those before it, and nothing from the files above it', () => {
  const rank = (inner: readonly string[], file: string): number => {
    const [, name = '', rest] = file.split('/');
    return rest === undefined ? inner.length : inner.indexOf(name);
  };
  const wrong = Object.entries(INNER_ROOMS).flatMap(([room, inner]) => {
    const files = modules.filter((file) => roomOf(file) === room);
    expect(files.filter((file) => rank(inner, file) === -1)).toEqual([]);
    return files.flatMap((file) =>
      localImportsOf(file)
        .filter((target) => roomOf(target) === room && rank(inner, target) > rank(inner, file))
        .map((target) => `${file} → ${target}`),
    );
  });
  expect(wrong).toEqual([]);
});

test('no folders run in a circle, whatever room they are in', () => {
  const folders = new Set(modules.flatMap((file) => foldersOf(file)));
  const wrong = [...folders].flatMap((folder) => circlesAmong(folder));
  expect(wrong).toEqual([]);
});

test('no imports run in a circle, type-only ones included', () => {
  expect(findCircles(modules, localImportsOf)).toEqual([]);
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

/** The rooms of the explorer, in the same order and under the same rule. */
const EXPLORER_ROOMS = [
  'schema',
  'url-state',
  'client',
  'rows',
  'ui',
  'store',
  'complete',
  'request-bar',
  'builder',
  'copy',
  'facets',
  'chart',
  'geo',
  'watch',
  'result',
  'plan',
  'sql',
  'forms',
  'basket',
  'record',
  'reference',
  'history',
  'map',
  'tokens',
  'access',
  'help',
  'admin',
  'shell',
];

/** What of the server the explorer may use. */
const SHARED_ROOMS = new Set(['util', 'contract', 'errors', 'request']);

const EXPLORER = fileURLToPath(new URL('../explorer/src/', import.meta.url));
const explorerModules = readdirSync(EXPLORER, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /\.tsx?$/u.test(file));

/** Paths below the root of the repository, without those of styles. */
function explorerImportsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(EXPLORER, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)';|\bimport\('(\.[^']+)'\)/gmu)]
    .map((match) => path.posix.join('explorer/src', path.posix.dirname(file), match[1] ?? match[2] ?? ''))
    .filter((target) => /\.tsx?$/u.test(target));
}

test('a room of the explorer imports only from those before it, and of the server only what is pure', () => {
  const rank = (file: string): number =>
    file.includes('/') ? EXPLORER_ROOMS.indexOf(roomOf(file)) : EXPLORER_ROOMS.length;
  expect(explorerModules.filter((file) => rank(file) === -1)).toEqual([]);
  const wrong = explorerModules.flatMap((file) =>
    explorerImportsOf(file)
      .filter((target) => {
        if (target.startsWith('src/')) return !SHARED_ROOMS.has(target.split('/')[1] ?? '');
        return rank(target.slice('explorer/src/'.length)) > rank(file);
      })
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('no imports of the explorer run in a circle, type-only ones included', () => {
  const inside = (file: string): readonly string[] =>
    explorerImportsOf(file)
      .filter((target) => target.startsWith('explorer/src/'))
      .map((target) => target.slice('explorer/src/'.length));
  expect(findCircles(explorerModules, inside)).toEqual([]);
});

test('the server imports nothing of the explorer', () => {
  const wrong = modules.filter((file) => importsOf(file).some((target) => target.includes('/explorer/src/')));
  expect(wrong).toEqual([]);
});

test('the way of a request fits on a page', () => {
  const lines = readFileSync(path.join(ROOT, 'handle-request.ts'), 'utf8').trimEnd().split('\n').length;
  expect(lines).toBeLessThanOrEqual(120);
});

/** Longer files explain at their head why they are not cut. */
const LONG_FILES = new Set(['service/service.ts', 'errors/error-catalog.ts', 'errors/api-error.ts']);

test('no file is longer than 250 lines without a reason', () => {
  const files = [
    ...modules.filter((file) => !LONG_FILES.has(file)).map((file) => path.join(ROOT, file)),
    ...explorerModules.map((file) => path.join(EXPLORER, file)),
  ];
  const countLines = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;
  expect(files.filter((file) => countLines(file) > 250)).toEqual([]);
});

// The rules on imports: the server sees nothing of the tools, a room only those before it, nothing runs in circles, and the
// core touches no Node.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

interface Room {
  readonly name: string;
  readonly doesIo?: boolean;
  /** In the order in which they may see each other. */
  readonly rooms?: readonly Room[];
}

interface House {
  readonly folder: string;
  readonly rooms: readonly Room[];
}

const { HOUSES, renderPage } = (await import(new URL('../scripts/docs/rooms.js', import.meta.url).href)) as {
  readonly HOUSES: readonly [server: House, tools: House, explorer: House];
  readonly renderPage: (page: string) => string;
};
const [SERVER, TOOLS, EXPLORER] = HOUSES;

/** What of the server the explorer may use. */
const SHARED_ROOMS: readonly string[] = ['util', 'contract', 'errors', 'request'].map((room) => `src/${room}/`);

const LIST_OF_EXTENSIONS = 'src/server/extensions.ts';

/** Paths below the root of the repository, as are all that follow. */
const modules = HOUSES.flatMap(({ folder }) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`),
);
const texts = new Map(modules.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
const imports = new Map(modules.map((file) => [file, findImports(texts.get(file) ?? '')]));
const localImports = new Map(modules.map((file) => [file, findLocalImports(file)]));

function findImports(text: string): readonly string[] {
  const statement = /^(?:import|export)\s[^;]*?from '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gmu;
  return [...text.matchAll(statement)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** Without styles. */
function findLocalImports(file: string): readonly string[] {
  return importsOf(file)
    .filter((target) => target.startsWith('.') && !target.endsWith('.css'))
    .map((target) => path.posix.join(path.posix.dirname(file), target));
}

function importsOf(file: string): readonly string[] {
  return imports.get(file) ?? [];
}

function localImportsOf(file: string): readonly string[] {
  return localImports.get(file) ?? [];
}

function namesOf(rooms: readonly Room[] = []): readonly string[] {
  return rooms.map(({ name }) => name);
}

function modulesOf({ folder }: House): readonly string[] {
  return modules.filter((file) => file.startsWith(`${folder}/`));
}

/** The folders and the name of a file, below its house. */
function partsOf({ folder }: House, file: string): readonly string[] {
  return file.slice(folder.length + 1).split('/');
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The imports of these files that the condition objects to. */
function listArrows(
  files: readonly string[],
  isWrong: (target: string, file: string) => boolean,
  targetsOf: (file: string) => readonly string[] = localImportsOf,
): readonly string[] {
  return files.flatMap((file) =>
    targetsOf(file)
      .filter((target) => isWrong(target, file))
      .map((target) => `${file} → ${target}`),
  );
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

describe.each(HOUSES)('in $folder', (house) => {
  const files = modulesOf(house);
  const isInside = (target: string): boolean => target.startsWith(`${house.folder}/`);
  const roomOf = (file: string): string => partsOf(house, file)[0] ?? '';
  const rooms = namesOf(house.rooms);

  test('more than 50 modules are seen, each in a known room', () => {
    expect(files.length).toBeGreaterThan(50);
    expect([...new Set(files.map(roomOf))].sort()).toEqual([...rooms].sort());
  });

  test('a room imports only from rooms before it', () => {
    const rank = (file: string): number => rooms.indexOf(roomOf(file));
    expect(listArrows(files, (target, file) => isInside(target) && rank(target) > rank(file))).toEqual([]);
  });

  test('every room with folders has rooms in order', () => {
    const found = new Set(files.filter((file) => partsOf(house, file).length > 2).map(roomOf));
    expect([...found].sort()).toEqual(namesOf(house.rooms.filter((room) => room.rooms !== undefined)).toSorted());
  });

  test('a room within a room imports only from those before it, and nothing from the files above it', () => {
    const rank = (file: string): number => {
      const [room = '', name = '', rest] = partsOf(house, file);
      const inner = namesOf(house.rooms.find(({ name: candidate }) => candidate === room)?.rooms);
      return rest === undefined ? inner.length : inner.indexOf(name);
    };
    expect(files.filter((file) => rank(file) === -1)).toEqual([]);
    const isSibling = (target: string, file: string): boolean => isInside(target) && roomOf(target) === roomOf(file);
    expect(listArrows(files, (target, file) => isSibling(target, file) && rank(target) > rank(file))).toEqual([]);
  });
});

test('every local import leads to a module', () => {
  expect(listArrows(modules, (target) => !existsSync(path.join(ROOT, target)))).toEqual([]);
});

test('the server imports nothing of the other houses, the tools only the server, the explorer only what is pure', () => {
  const leaves = (allowed: readonly string[]) => (target: string) => !allowed.some((place) => target.startsWith(place));
  expect(listArrows(modulesOf(SERVER), leaves(['src/']))).toEqual([]);
  expect(listArrows(modulesOf(TOOLS), leaves(['src/', 'tools/']))).toEqual([]);
  expect(
    listArrows(modulesOf(EXPLORER), leaves([...SHARED_ROOMS, 'packages/live/src/index.ts', 'explorer/src/'])),
  ).toEqual([]);
});

test('the core imports no extension, and an extension imports no other', () => {
  const extensionOf = (file: string): string | undefined => /^src\/extensions\/([^/]+)\//u.exec(file)?.[1];
  const core = modulesOf(SERVER).filter((file) => extensionOf(file) === undefined && file !== LIST_OF_EXTENSIONS);
  expect(listArrows(core, (target) => extensionOf(target) !== undefined)).toEqual([]);
  const extensions = modulesOf(SERVER).filter((file) => extensionOf(file) !== undefined);
  const isOther = (target: string, file: string): boolean =>
    extensionOf(target) !== undefined && extensionOf(target) !== extensionOf(file);
  expect(listArrows(extensions, isOther)).toEqual([]);
  const listed = listArrows([LIST_OF_EXTENSIONS], (target) => target.endsWith('/index.ts'));
  expect(listed).toHaveLength(new Set(extensions.map(extensionOf)).size);
});

test('no folders run in a circle, whatever room they are in', () => {
  const folders = new Set(modules.flatMap((file) => foldersOf(file)));
  expect([...folders].flatMap((folder) => circlesAmong(folder))).toEqual([]);
});

test('no imports run in a circle, type-only ones included', () => {
  expect(findCircles(modules, localImportsOf)).toEqual([]);
});

test('the core imports nothing of Node', () => {
  const extensions = SERVER.rooms.find(({ name }) => name === 'extensions')?.rooms ?? [];
  const doingIo = namesOf([...SERVER.rooms, ...extensions].filter(({ doesIo }) => doesIo === true));
  const core = modulesOf(SERVER).filter((file) => {
    const [room = '', inner = ''] = partsOf(SERVER, file);
    return !doingIo.includes(room === 'extensions' ? inner : room);
  });
  expect(listArrows(core, (target) => target.startsWith('node:') || target === 'pg', importsOf)).toEqual([]);
});

test('only the database room names the driver, beside the tools that run SQL files', () => {
  const users = modules.filter((file) => importsOf(file).includes('pg'));
  expect(
    users.filter(
      (file) =>
        !/^(?:src\/postgres|tools\/(?:embedded|demo|project|api-diff|check|deploy|diff|migrate|testing))\//u.test(file),
    ),
  ).toEqual([]);
});

test('the tables in docs/architecture.md list these rooms: `npm run docs -- rooms` writes them', () => {
  const page = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(page).toBe(renderPage(page));
});

test('the way of a request fits on a page', () => {
  expect(countLines('src/serve/handle-request.ts')).toBeLessThanOrEqual(120);
});

test('no file is longer than 450 lines unless its first lines say why', () => {
  const reason = /^(?:#!.*\n)?(?:\/\/.*\n)*\/\/.*\bLong because\b/u;
  const long = modules.filter((file) => countLines(file) > 450);
  expect(long.filter((file) => !reason.test(texts.get(file) ?? ''))).toEqual([]);
});

function countLines(file: string): number {
  return (texts.get(file) ?? '').trimEnd().split('\n').length;
}

// The scripts of package.json: few enough to know, each explained in CONTRIBUTING.md, and every one that a page names
// exists. Installing and building print no warnings that a newcomer could not act on.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import viteConfig from '../../explorer/vite.config.ts';
import manifest from '../../package.json' with { type: 'json' };

const MAX_SCRIPTS = 28;
/** npm has commands of its own for these. */
const SHORT = new Set(['start', 'test']);

const names = Object.keys(manifest.scripts);
const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

test('there are at most 28 scripts, and none runs before or after another', () => {
  expect(names.length).toBeLessThanOrEqual(MAX_SCRIPTS);
  expect(
    names.filter((name) => names.includes(name.replace(/^(?:pre|post)/u, '')) && /^(?:pre|post)/u.test(name)),
  ).toEqual([]);
});

test('every script has one line in the table of CONTRIBUTING.md', () => {
  const commands = names.map((name) => (SHORT.has(name) ? `npm ${name}` : `npm run ${name}`));
  const linesOf = (command: string): number =>
    [...contributing.matchAll(/^\| `(npm (?:run )?[a-z:-]+)[^`]*` \|/gmu)].filter(([, named]) => named === command)
      .length;
  expect(commands.filter((command) => linesOf(command) !== 1)).toEqual([]);
});

/** The changelog also names scripts of the past, and these pages those of a project. */
const ABOUT_PROJECTS: ReadonlySet<string> = new Set(['docs/projects.md', 'docs/deploy-a-project.md', 'docs/sync.md']);
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].concat(
  readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);

test('pages name scripts that exist', () => {
  const unknown = PAGES.filter((page) => !ABOUT_PROJECTS.has(page)).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`npm run ([a-z:-]+)/gu)]
      .filter(([, name = '']) => !names.includes(name))
      .map(([text]) => `${page}: ${text}`),
  );
  expect(unknown).toEqual([]);
});

interface Lock {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } | readonly string[] }>>;
}

/** Returns whether a range such as `^20.19.0 || >=22` contains the oldest release of Node that we support. */
function acceptsOldestNode(range: string): boolean {
  return range.split('||').some((part) => {
    const [, operator = '', major = '', minor = '0'] = /^\s*(>=|\^|)\s*(\d+)(?:\.(\d+))?/u.exec(part) ?? [];
    const isOlder = Number(major) < 20 || (Number(major) === 20 && Number(minor) <= 19);
    return operator === '>=' ? isOlder : Number(major) === 20 && isOlder;
  });
}

test('npm ci warns of no package that requires a newer Node', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const ranges = Object.entries(packages).map(
    ([name, { engines }]) => [name, engines !== undefined && 'node' in engines ? engines.node : undefined] as const,
  );
  expect(ranges.filter(([, range]) => range !== undefined && !acceptsOldestNode(range))).toEqual([]);
});

test('the first start prints no report about slow plugins of the bundlers', () => {
  expect(viteConfig.build?.rolldownOptions).toMatchObject({ checks: { bundlerTimings: false } });
  expect(readFileSync('scripts/build/bundle.js', 'utf8')).toContain('checks: { bundlerTimings: false }');
});

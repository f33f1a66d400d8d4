// `rowhouse new`: writes a project of SQL files (`project.md` §4).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf, TemplateName } from '../command-line/command.ts';
import { TEMPLATE_NAMES } from '../command-line/project-arguments.ts';
import { COMPARISON_PACKAGE } from '../support/comparison-package.ts';
import { addOwnPackage, findOwnPackage, type OwnPackage } from './own-package.ts';
import { CI, DOCKERIGNORE, renderDockerfile, renderReadme } from './project-texts.ts';

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** @returns 0 if the project is written, 2 if nothing is */
export function createProject({ name, template }: CommandOf<'new'>): 0 | 2 {
  const written = writeProject(path.resolve(name), template, findOwnPackage());
  process[written.ok ? 'stdout' : 'stderr'].write(written.ok ? renderNextSteps(name, template) : `${written.error}\n`);
  return written.ok ? 0 : 2;
}

/** @param folder absolute; must be missing or empty. The error is a message for the user. */
export function writeProject(folder: string, template: TemplateName, own: OwnPackage): Result<void, string> {
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0)
      return fail(`${folder} is not empty: nothing was written`);
    mkdirSync(folder, { recursive: true });
    cpSync(new URL(`${template}/`, TEMPLATES), folder, { recursive: true });
    const dependency = addOwnPackage(folder, own);
    const files = renderFiles(path.basename(folder), template, { own, dependency });
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    return ok(undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`The project cannot be written: ${reason}`);
  }
}

interface Source {
  readonly own: OwnPackage;
  /** As `package.json` names it. */
  readonly dependency: string;
}

function renderFiles(
  name: string,
  template: TemplateName,
  { own, dependency }: Source,
): Readonly<Record<string, string>> {
  const details = readFileSync(new URL(`${template}/README.md`, TEMPLATES), 'utf8');
  return {
    'README.md': renderReadme(name, details, own),
    'rowhouse.conf': CONFIG,
    'package.json': `${JSON.stringify(describePackage(name, dependency), undefined, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(TYPESCRIPT, undefined, 2)}\n`,
    'vite.config.js': VITE_CONFIG,
    // npm leaves a file of this name out of packages, so that it cannot be part of a template.
    '.gitignore': '.env\n.rowhouse/\ndist/\nnode_modules/\n',
    '.dockerignore': DOCKERIGNORE,
    Dockerfile: renderDockerfile(own),
    '.github/workflows/ci.yml': CI,
  };
}

const CONFIG = `db-schemas = "api"
db-anon-role = "web_anon"
`;

/** Relative to the project. */
const TYPES_FILE = 'web/database.ts';

function describePackage(name: string, dependency: string): object {
  return {
    name:
      name
        .toLowerCase()
        .replaceAll(/[^a-z\d._-]+/gu, '-')
        .replace(/^[._-]+/u, '') || 'project',
    private: true,
    type: 'module',
    scripts: {
      dev: `${PRODUCT.token} dev --types ${TYPES_FILE}`,
      web: 'vite',
      build: 'vite build',
      test: 'node --test',
      check: `tsc && ${PRODUCT.token} check --types ${TYPES_FILE}`,
      diff: `${PRODUCT.token} diff --api`,
      migrate: `${PRODUCT.token} migrate`,
      deploy: `${PRODUCT.token} deploy`,
      start: `${PRODUCT.token} rowhouse.conf`,
    },
    dependencies: { [PRODUCT.token]: dependency },
    devDependencies: {
      [COMPARISON_PACKAGE.name]: COMPARISON_PACKAGE.version,
      '@supabase/postgrest-js': '^2.109.0',
      typescript: '^5.9.0',
      vite: '^7.0.0',
    },
  };
}

const TYPESCRIPT = {
  compilerOptions: {
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    target: 'es2023',
    types: [],
  },
  include: ['web'],
};

const VITE_CONFIG = `// Serves web/ for development, and passes /api to \`npm run dev\`.
export default {
  root: 'web',
  test: { root: import.meta.dirname },
  build: { outDir: '../dist', emptyOutDir: true },
  server: { proxy: { '/api': { target: 'http://localhost:3000', changeOrigin: true, rewrite: (path) => path.slice(4) || '/' } } },
};
`;

function renderNextSteps(name: string, template: TemplateName): string {
  const others = TEMPLATE_NAMES.filter((other) => other !== template).join(', ');
  return `Wrote ${name} from the template ${template} (--template names another one: ${others}). Next:

  cd ${/^[\w./@+-]+$/u.test(name) ? name : JSON.stringify(name)}
  npm install
  npm run dev
`;
}

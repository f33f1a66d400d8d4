// `rowhouse new`: writes a project of SQL files (`project.md` §4).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { TEMPLATE_NAMES, type TemplateName } from '../command-line/choices.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { COMPARISON_PACKAGE } from '../support/comparison-package.ts';
import { messageOf } from '../support/thrown.ts';
import {
  addBrowserPackage,
  addOwnPackage,
  findOwnPackage,
  type OwnPackage,
  renderAllowedScripts,
} from './own-package.ts';
import { CI, DOCKERIGNORE, renderDockerfile, renderReadme } from './project-texts.ts';

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** @returns 0 if the project is written, 2 if nothing is */
export function createProject({ name, template }: { readonly name: string; readonly template: TemplateName }): 0 | 2 {
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
    completeReadme(folder, own, completePackage(folder, own));
    for (const [file, text] of Object.entries(renderCommonFiles(own))) {
      const place = path.join(folder, file);
      mkdirSync(path.dirname(place), { recursive: true });
      // A template may have its own.
      if (!existsSync(place)) writeFileSync(place, text);
    }
    return ok(undefined);
  } catch (error) {
    return fail(`The project cannot be written: ${messageOf(error)}`);
  }
}

/** What the template says about its files becomes a part. */
function completeReadme(folder: string, own: OwnPackage, { scripts }: ProjectPackage): void {
  const file = path.join(folder, 'README.md');
  const isPageServed = scripts['dev'] !== SCRIPTS.dev;
  writeFileSync(file, renderReadme(path.basename(folder), readFileSync(file, 'utf8'), isPageServed, own));
}

function renderCommonFiles(own: OwnPackage): Readonly<Record<string, string>> {
  return {
    'rowhouse.conf': CONFIG,
    'tsconfig.json': `${JSON.stringify(TYPESCRIPT, undefined, 2)}\n`,
    'vite.config.js': VITE_CONFIG,
    // npm leaves a file of this name out of packages, so that it cannot be part of a template.
    '.gitignore': '.env\n.rowhouse/\ndist/\nnode_modules/\nseed/signing_key.sql\n',
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

const SCRIPTS = {
  dev: `${PRODUCT.token} dev --types ${TYPES_FILE}`,
  web: 'vite',
  build: 'vite build',
  test: 'node --test',
  check: `tsc && ${PRODUCT.token} check --types ${TYPES_FILE}`,
  diff: `${PRODUCT.token} diff --api`,
  migrate: `${PRODUCT.token} migrate`,
  deploy: `${PRODUCT.token} deploy`,
  start: `${PRODUCT.token} rowhouse.conf`,
};

/** What the page of a template needs that does not say so itself. */
const PAGE: JsonObject = { devDependencies: { '@supabase/postgrest-js': '^2.109.0', vite: '^7.0.0' } };

interface ProjectPackage {
  readonly scripts: JsonObject;
  readonly dependencies: JsonObject;
}

/** The `package.json` of a template has only what differs. */
function completePackage(folder: string, own: OwnPackage): ProjectPackage {
  const file = path.join(folder, 'package.json');
  const template = existsSync(file) ? parseJsonObject(readFileSync(file, 'utf8')) : PAGE;
  const { scripts, dependencies, devDependencies, ...others } = template ?? {};
  const complete = {
    name:
      path
        .basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z\d._-]+/gu, '-')
        .replace(/^[._-]+/u, '') || 'project',
    private: true,
    type: 'module',
    scripts: { ...SCRIPTS, ...membersOf(scripts) },
    dependencies: {
      [PRODUCT.token]: addOwnPackage(folder, own),
      ...addBrowserPackages(folder, own, membersOf(dependencies)),
    },
    devDependencies: {
      [COMPARISON_PACKAGE.name]: COMPARISON_PACKAGE.version,
      typescript: '^5.9.0',
      ...membersOf(devDependencies),
    },
    allowScripts: renderAllowedScripts(),
    ...others,
  };
  writeFileSync(file, `${JSON.stringify(complete, undefined, 2)}\n`);
  return complete;
}

function addBrowserPackages(folder: string, own: OwnPackage, dependencies: JsonObject): JsonObject {
  const isOurs = (name: string): boolean => name.startsWith(`@${PRODUCT.token}/`);
  const versions = Object.entries(dependencies).map(([name, version]) => [
    name,
    isOurs(name) ? addBrowserPackage(folder, name, own) : version,
  ]);
  return Object.fromEntries(versions);
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

const TYPESCRIPT = {
  compilerOptions: {
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    target: 'es2023',
    types: ['vite/client'],
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

// `rowhouse new`: writes a project of SQL files (`project.md` §4).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf, TemplateName } from '../command-line/command.ts';
import { COMPARISON_PACKAGE } from '../support/comparison-package.ts';
import { findOwnSource } from './own-source.ts';

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** @returns 0 if the project is written, 2 if nothing is */
export function createProject({ name, template }: CommandOf<'new'>): 0 | 2 {
  const folder = path.resolve(name);
  const written = writeProject(folder, template);
  process[written.ok ? 'stdout' : 'stderr'].write(written.ok ? renderNextSteps(name) : `${written.error}\n`);
  return written.ok ? 0 : 2;
}

/** @param folder absolute; must be missing or empty. The error is a message for the user. */
export function writeProject(folder: string, template: TemplateName): Result<void, string> {
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0)
      return fail(`${folder} is not empty: nothing was written`);
    mkdirSync(folder, { recursive: true });
    cpSync(new URL(`${template}/`, TEMPLATES), folder, { recursive: true });
    const name = path.basename(folder);
    for (const [file, text] of Object.entries(renderFiles(name, template, folder))) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    return ok(undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`The project cannot be written: ${reason}`);
  }
}

function renderFiles(name: string, template: TemplateName, folder: string): Readonly<Record<string, string>> {
  const details = readFileSync(new URL(`${template}/README.md`, TEMPLATES), 'utf8');
  return {
    'README.md': renderReadme(name, details),
    'rowhouse.conf': 'db-anon-role = "web_anon"\n',
    'package.json': `${JSON.stringify(describePackage(name, folder), undefined, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(TYPESCRIPT, undefined, 2)}\n`,
    'vite.config.js': VITE_CONFIG,
    // npm leaves a file of this name out of packages, so that it cannot be part of a template.
    '.gitignore': '.rowhouse/\ndist/\nnode_modules/\n',
    '.dockerignore': '.rowhouse\nnode_modules\n',
    Dockerfile,
    '.github/workflows/ci.yml': CI,
  };
}

function describePackage(name: string, folder: string): object {
  return {
    name:
      name
        .toLowerCase()
        .replaceAll(/[^a-z\d._-]+/gu, '-')
        .replace(/^[._-]+/u, '') || 'project',
    private: true,
    type: 'module',
    scripts: {
      dev: `${PRODUCT.token} dev`,
      web: 'vite web',
      test: 'node --test',
      check: `tsc && ${PRODUCT.token} check`,
      diff: `${PRODUCT.token} diff --api`,
      migrate: `${PRODUCT.token} migrate`,
    },
    devDependencies: {
      [COMPARISON_PACKAGE.name]: COMPARISON_PACKAGE.version,
      [PRODUCT.token]: findOwnSource(folder),
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
    noEmit: true,
    strict: true,
    target: 'es2023',
    types: [],
  },
  include: ['web'],
};

const VITE_CONFIG = `// Serves web/ for development, and passes /api to \`npm run dev\`.
export default {
  build: { outDir: '../dist', emptyOutDir: true },
  server: { proxy: { '/api': { target: 'http://localhost:3000', changeOrigin: true, rewrite: (path) => path.slice(4) || '/' } } },
};
`;

const Dockerfile = `# Serves a database that \`npm run migrate\` has brought up to date:
#   docker run -p 3000:3000 -e SVC_DB_URI=postgres://… -e SVC_JWT_SECRET=… IMAGE
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json* ./
RUN npm install --omit=optional
COPY rowhouse.conf ./
COPY migrations* ./migrations/
ENV NODE_ENV=production SVC_SERVER_HOST=0.0.0.0
USER node
EXPOSE 3000
CMD ["npx", "rowhouse", "rowhouse.conf"]
`;

const CI = `on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm install
      # Fails if a file of schema/ does not apply to an empty database, or a role may do more than it should.
      - run: npm run check
      - run: npm test
`;

function renderReadme(name: string, details: string): string {
  return `# ${name}

An API kept as SQL files: every save of a file in \`schema/\` changes the database and the API.

    npm install
    npm run dev

The explorer at the address that this prints shows the tables. In another terminal, \`npm run web\` serves the page in \`web/\`.

## Files

- \`roles.sql\`: the roles of requests.
${details}
\`seed/\` fills the development database once. \`rowhouse.conf\` holds options of the server.

\`tests/\` proves what each role may do, by requests that are rolled back: \`npm test\`. \`npm run check\` looks for what
roles may do by mistake.

## Release

\`npm run diff -- postgres://…\` lists what the clients of a database notice if it gets this schema: what breaks, what may
surprise them, and what is new. \`npm run migrate -- postgres://…\` applies the files of \`migrations/\` to it.
`;
}

function renderNextSteps(name: string): string {
  return `Wrote ${name}. Next:

  cd ${/^[\w./@+-]+$/u.test(name) ? name : JSON.stringify(name)}
  npm install
  npm run dev
`;
}

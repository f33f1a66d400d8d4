// The texts of a new project that all templates share: README, Dockerfile, CI.
import { PRODUCT } from '../../src/contract/product.ts';
import type { OwnPackage } from './own-package.ts';

/** npm and npx do not pass signals on, so the program itself is started. */
export function renderDockerfile({ kind }: OwnPackage): string {
  const vendored = kind === 'registry' ? '' : 'COPY vendor ./vendor/\n';
  return `# The server, and what \`rowhouse deploy\` needs; see docs/deploy-a-project.md in the package.
#   docker build -t api .
#   docker run -p 3000:3000 -e SVC_DB_URI=postgres://… -e SVC_JWT_SECRET=… api
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json ./
${vendored}# Without packages of development, and without the embedded PostgreSQL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
COPY rowhouse.conf roles.sql ./
COPY migrations* ./migrations/
ENV NODE_ENV=production \\
    PATH=/app/node_modules/.bin:$PATH \\
    SVC_SERVER_HOST=0.0.0.0 \\
    SVC_ADMIN_SERVER_HOST=127.0.0.1 \\
    SVC_ADMIN_SERVER_PORT=3001
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["rowhouse", "--ready"]
CMD ["rowhouse", "rowhouse.conf"]
`;
}

/** The file must exist for `docker build`, and keeps what is local out of the image. */
export const DOCKERIGNORE = '.env\n.git\n.rowhouse\ndist\nnode_modules\n';

/** Commits on a tag are deployed if the secrets are set. */
export const CI = `on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24, cache: npm }
      - run: npm ci
      # Fails if a file of schema/ does not apply to an empty database, or a role may do more than it should.
      - run: npm run check
      - run: npm test

  # git tag v1 && git push origin v1
  deploy:
    if: startsWith(github.ref, 'refs/tags/v')
    needs: check
    runs-on: ubuntu-latest
    environment: production
    # Two tags at once are deployed one after the other.
    concurrency: deploy
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24, cache: npm }
      - run: npm ci
      # Fails if schema/ contains a change that no file of migrations/ makes.
      - run: npx rowhouse diff --check
      - run: npx rowhouse deploy --yes "$OWNER_URI"
        env:
          OWNER_URI: \${{ secrets.OWNER_URI }}
          ROWHOUSE_LOGIN_PASSWORD: \${{ secrets.LOGIN_PASSWORD }}
`;

const VENDORED = `
\`vendor/\` holds the packages of Rowhouse, so that \`npm ci\` works on every machine: commit it. To update one, replace the file
and run \`npm install ./vendor/NEW.tgz\`. Once they are in a registry: \`npm install ${PRODUCT.token}\`, delete \`vendor/\`,
and the line \`COPY vendor\` of the Dockerfile.
`;

/**
 * @param details what the template says about its files
 * @param isPageServed whether `npm run dev` serves the page too
 */
export function renderReadme(name: string, details: string, isPageServed: boolean, { kind }: OwnPackage): string {
  const addresses = isPageServed
    ? 'The last address that this prints is that of the page in `web/`. The explorer at the first one shows the tables.'
    : 'The explorer at the address that this prints shows the tables. In another terminal, `npm run web` serves the page in `web/`.';
  return `# ${name}

An API kept as SQL files: every save of a file in \`schema/\` changes the database and the API.

    npm install
    npm run dev

${addresses}

## Files

- \`roles.sql\`: the roles of requests.
${details}
\`seed/\` fills the development database once. \`rowhouse.conf\` holds options of the server. Secrets belong in \`.env\`, which
git ignores: \`SVC_JWT_SECRET=…\`. \`npm run dev\` writes the types of the API to \`web/database.ts\`; commit it.

\`tests/\` proves what each role may do, by requests that are rolled back: \`npm test\`. \`npm run check\` looks for what
roles may do by mistake.
${kind === 'registry' ? '' : VENDORED}
## Release

    npm run diff                                   what clients notice since the last migration
    npx rowhouse diff --write first                writes migrations/0001_first.sql: read it, commit it
    npm run deploy -- postgres://OWNER@HOST/NAME   roles, migrations, and a check

\`node_modules/rowhouse/docs/deploy-a-project.md\` leads from here to a service behind nginx, with systemd or in a container.
`;
}

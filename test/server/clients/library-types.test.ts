// Types of the library: correct programs compile, incorrect ones do not.
import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useFolder } from '../../support/use.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const folder = useFolder();
await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');

const USE = `import express from 'express';
import { type HostSession, type ProgramOptions, startServer, startService } from '${path.join(ROOT, 'src/index.ts')}';

export const options: ProgramOptions = {
  dbUri: process.env['DATABASE_URL'],
  dbPool: 20,
  dbSchemas: ['api', 'v2'],
  dbPreRequest: 'api.check',
  dbMaxRows: undefined,
  openapiMode: 'follow-privileges',
  serverUnixSocketMode: 0o660,
  jwtSecret: '@/run/secrets/jwt',
  appSettings: { tenant: 'blue' },
};
export const wrong: readonly ProgramOptions[] = [
  // @ts-expect-error unknown option
  { dbPol: 20 },
  // @ts-expect-error name as in a configuration file
  { 'db-pool': 20 },
  // @ts-expect-error wrong type
  { dbPool: '20' },
  // @ts-expect-error wrong type
  { dbSchemas: 'api' },
  // @ts-expect-error not a valid value
  { openapiMode: 'follow' },
  // @ts-expect-error internal option, used by tests only
  { internalSchemaCacheQuerySleep: 20 },
];
// @ts-expect-error unknown option
await startServer({ options: { serverPorts: 3000 } });

const service = await startService({ options });
const reloaded: Promise<void> = service.reloadSchemaCache();
await reloaded;
interface SignedIn extends express.Request {
  readonly account?: { readonly role: string };
}
const session = ({ account }: SignedIn): HostSession | undefined => account && { role: account.role, claims: { sub: 1 } };
const app = express();
app.use('/api', service.createNodeHandler({ authenticate: session }));
export const fetchApi: (request: Request) => Promise<Response> = service.createFetchHandler({
  basePath: '/api',
  authenticate: async (request) => (request.headers.has('cookie') ? { role: 'member' } : undefined),
});
// @ts-expect-error a session has a role
service.createFetchHandler({ authenticate: () => ({ claims: {} }) });
`;

test('options and handlers reject wrong names and values at compile time', async () => {
  expect(await compile(USE)).toBe('');
});

/** Returns the output of the compiler; empty if it reports nothing. */
async function compile(text: string): Promise<string> {
  await writeFile(path.join(folder, 'use.ts'), text);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const project = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      rootDir: '/',
      rewriteRelativeImportExtensions: false,
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    },
    include: [],
    files: ['use.ts'],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', folder], { cwd: folder });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

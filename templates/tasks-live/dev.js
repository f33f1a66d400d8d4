// `npm run dev`: the API and the page. Each follows its files.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createServer } from 'vite';

// Once on each machine: the key that signs tokens (in the database) and verifies them (in the server). git ignores both files.
if (!existsSync('.env')) {
  const key = randomBytes(36).toString('base64url');
  writeFileSync('.env', `SVC_JWT_SECRET=${key}\n`, { mode: 0o600 });
  writeFileSync('seed/signing_key.sql', `insert into private.signing_key values ('${key}');\n`, { mode: 0o600 });
}

const args = ['dev', '--types', 'web/database.ts', ...process.argv.slice(2)];
const api = spawn('rowhouse', args, { stdio: 'inherit', shell: process.platform === 'win32' });
api.on('exit', (code) => process.exit(code ?? 1));
// The terminal sends Ctrl-C to both. This process ends after the API, which stops its database.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => api.kill('SIGTERM'));

const page = await createServer();
await page.listen();
// Printed last, below what the API prints when it is ready.
const url = `http://localhost:${process.env.SVC_SERVER_PORT ?? 3000}`;
while (!(await isThere(url))) await setTimeout(200);
console.log('\nThe page:');
page.printUrls();

function isThere(url) {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

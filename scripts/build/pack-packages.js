// Packs the packages for browsers into `dist/packages`, from where `rowhouse new` copies them into projects.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import process from 'node:process';
import { BROWSER_PACKAGES } from './build-record.js';

const PLACE = 'dist/packages';

rmSync(PLACE, { recursive: true, force: true });
mkdirSync(PLACE, { recursive: true });
// `npm pack --dry-run` of the whole package builds it, and passes its options on.
const options = ['--dry-run=false', '--json=false', '--silent', '--pack-destination', PLACE];
const folders = BROWSER_PACKAGES.map((folder) => `./${folder}`);
const { status } = spawnSync('npm', ['pack', ...options, ...folders], {
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);

// Builds the program, the library, the explorer and the documentation site into `dist`: `npm run build`. With
// `--if-changed`, only what differs from the last build; with `--program`, not the site. The site is built only if its
// pages have changed.
import process from 'node:process';
import { build } from './build/build.js';
import { ensureBuilt, ensureDocsBuilt } from './build/ensure-built.js';

if (process.argv.includes('--if-changed')) ensureBuilt();
else await build();
if (!process.argv.includes('--program')) ensureDocsBuilt();

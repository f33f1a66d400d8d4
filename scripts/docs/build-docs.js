// docs/*.md → `dist/docs`, a site that searches itself and needs no other server.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vitepress';
import { DOCS, fingerprintSources, forgetBuild, recordBuild } from '../build/build-record.js';
import { ROOT } from '../build/root.js';
import { BASE, relocatePage, relocateScript } from './relocate.js';
import { readGroups, stagePage } from './stage-pages.js';

const STAGE = path.join(ROOT, '.rowhouse/docs');
const BUILT = path.join(STAGE, 'out');
const TARGET = path.join(ROOT, 'dist/docs');

/** VitePress also writes files that only other hosts need. */
const UNUSED = ['404.html', 'hashmap.json'];

export async function buildDocs() {
  // Taken first: a file that changes during the build leads to another build.
  const fingerprint = fingerprintSources(ROOT, DOCS);
  forgetBuild(ROOT, DOCS);
  stage();
  await build(STAGE, { outDir: BUILT, logLevel: 'warn' });
  for (const name of UNUSED) rmSync(path.join(BUILT, name), { force: true });
  for (const name of readdirSync(BUILT, { recursive: true, encoding: 'utf8' })) relocate(name);
  for (const name of readdirSync(BUILT, { recursive: true, encoding: 'utf8' })) compress(path.join(BUILT, name));
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(path.dirname(TARGET), { recursive: true });
  renameSync(BUILT, TARGET);
  recordBuild(ROOT, DOCS, fingerprint);
}

function stage() {
  rmSync(STAGE, { recursive: true, force: true });
  cpSync(path.join(ROOT, 'scripts/docs/site'), STAGE, { recursive: true });
  cpSync(path.join(ROOT, 'docs/images'), path.join(STAGE, 'images'), { recursive: true });
  mkdirSync(path.join(STAGE, 'public'));
  cpSync(path.join(ROOT, 'explorer/src/ui/brand.svg'), path.join(STAGE, 'public/brand.svg'));
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const groups = readGroups(readme);
  const titles = new Map(groups.flatMap(({ pages }) => pages.map(({ name, title }) => [name, title])));
  writeFileSync(path.join(STAGE, '.vitepress/site.json'), JSON.stringify({ groups, base: BASE }));
  for (const name of ['index', ...titles.keys()]) {
    const markdown = readFileSync(path.join(ROOT, `docs/${name}.md`), 'utf8');
    writeFileSync(path.join(STAGE, `${name}.md`), stagePage(markdown, titles));
  }
}

function relocate(name) {
  const file = path.join(BUILT, name);
  if (name.endsWith('.js')) {
    writeFileSync(file, relocateScript(readFileSync(file, 'utf8'), name.split(path.sep).join('/')));
  } else if (name.endsWith('.html')) {
    const { page, early } = relocatePage(readFileSync(file, 'utf8'));
    writeFileSync(file, page);
    writeFileSync(path.join(BUILT, early.name), early.script);
  }
}

/** Keeps only the compressed file, so that the package stays small; the server can decompress it. */
function compress(file) {
  if (!/\.(?:html|js|css|svg)$/u.test(file)) return;
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  rmSync(file);
}

// Makes the built site independent of its address: VitePress writes the base path into every file, but the server may run
// below any path. HTML becomes relative (all pages are in one folder), scripts find the base from their own URL. Inline
// scripts and styles, which the Content-Security-Policy of the explorer forbids, become files or go.
import { createHash } from 'node:crypto';

/** The base path that the site is built with. */
export const BASE = '/__BASE__/';

const INLINE_SCRIPT = /<script id="[\w-]+">([\s\S]*?)<\/script>\s*/gu;

/** @returns the page, and the script that it needs before it is shown */
export function relocatePage(html) {
  const inline = [...html.matchAll(INLINE_SCRIPT)].map(([, script]) => script).join('\n');
  const name = `assets/early.${createHash('sha256').update(inline).digest('base64url').slice(0, 8)}.js`;
  const page = html
    .replaceAll(INLINE_SCRIPT, '')
    // The same as rules in `site.css`, or set by the scripts.
    .replaceAll(/ style="(?:--vp-vh:0px|position:relative);"/gu, '')
    .replace(/(?=<link rel="preload stylesheet")/u, `<script src="${BASE}${name}"></script>\n    `)
    .replaceAll(BASE, './');
  return { page, early: { name, script: `${inline}\n` } };
}

/** The module of the search index: one string with many paths. */
const INDEX = /=('\{"documentCount"(?:[^'\\]|\\.)*')/u;
const IN_STRING = new RegExp(`\\\\"${BASE}\\\\"`, 'gu');
const AS_STRING = new RegExp(`"${BASE}([^"\\\\]*)"`, 'gu');

/** @param name path of the script below the site: `assets/chunks/theme.js` */
export function relocateScript(script, name) {
  const pathOf = (target) =>
    `(new URL("${'../'.repeat(name.split('/').length - 1)}${target}",import.meta.url).pathname)`;
  if (INDEX.test(script)) return script.replace(INDEX, (_, index) => `=${index}.replaceAll("${BASE}",${pathOf('')})`);
  const relocated = script
    .replaceAll(IN_STRING, () => `\\""+${pathOf('')}+"\\"`)
    .replaceAll(AS_STRING, (_, target) => pathOf(target));
  if (relocated.includes(BASE)) throw new Error(`${name} contains the base path in an unknown form`);
  return relocated;
}

// Normalizes typed or pasted text to a request URL.
import { resolveNeedlessEscapes } from '../url-state/readable-text.ts';

const METHOD = /^GET\s+/u;
const ORIGIN = /^https?:\/\/[^/?#]*/iu;
const LINE_BREAKS = /\s*[\n\r]+\s*/gu;

/** Returns `''` for a URL without a path, such as `/`. */
export function readTypedUrl(text: string): string {
  const url = joinLines(text).trim().replace(METHOD, '').replace(ORIGIN, '').trimStart();
  const path = url.startsWith('/') ? url : `/${url}`;
  if (path === '/') return '';
  return resolveNeedlessEscapes(path.replaceAll(/[\s#]/gu, (character) => encodeURIComponent(character)));
}

/** Joins the lines of a wrapped URL. */
export function joinLines(text: string): string {
  return text.replaceAll(LINE_BREAKS, '');
}

// What was typed or pasted → the request URL that it means.
import { resolveNeedlessEscapes } from '../url-state/readable-text.ts';

const METHOD = /^GET\s+/u;
const ORIGIN = /^https?:\/\/[^/?#]*/iu;
const LINE_BREAKS = /\s*[\n\r]+\s*/gu;

/** `''` for what names nothing: `/`. */
export function readTypedUrl(text: string): string {
  const url = joinLines(text).trim().replace(METHOD, '').replace(ORIGIN, '').trimStart();
  const path = url.startsWith('/') ? url : `/${url}`;
  if (path === '/') return '';
  return resolveNeedlessEscapes(path.replaceAll(/[\s#]/gu, (character) => encodeURIComponent(character)));
}

/** A URL has one line, however it was wrapped. */
export function joinLines(text: string): string {
  return text.replaceAll(LINE_BREAKS, '');
}

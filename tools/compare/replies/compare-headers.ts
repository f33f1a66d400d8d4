// Compares response headers, except those that describe the connection, the moment or the server.
import { allHeaders, type HeaderList, isFraming } from '../../../src/contract/http.ts';
import type { Difference } from './difference.ts';

const IGNORED =
  /^(?:age|alt-svc|date|server|server-timing|strict-transport-security|via|x-(?:request|trace|correlation)-id|x-powered-by|x-response-time|x-runtime)$/u;

export function compareHeaders(old: HeaderList, other: HeaderList): readonly Difference[] {
  const names = new Set([...old, ...other].map(([name]) => name));
  return [...names].toSorted().flatMap((name) => {
    if (IGNORED.test(name) || isFraming(name)) return [];
    const texts = { old: readHeader(old, name), new: readHeader(other, name) };
    return normalize(name, texts.old) === normalize(name, texts.new) ? [] : [{ kind: 'header', name, ...texts }];
  });
}

function readHeader(headers: HeaderList, name: string): string | undefined {
  const values = allHeaders(headers, name);
  return values.length === 0 ? undefined : values.join(', ');
}

/** Leaves out the name under which the server reports (`Proxy-Status: NAME; error=…`, `Warning: 299 NAME "…"`). */
function normalize(name: string, value: string | undefined): string | undefined {
  if (name === 'proxy-status') return value?.replace(/^[^;]*/u, '');
  if (name === 'warning') return value?.replaceAll(/\b(\d{3}) \S+ "/gu, '$1 "');
  return value?.replaceAll(/\s*([,;])\s*/gu, '$1').trim();
}

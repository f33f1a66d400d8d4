// Parses a raw path into the target it addresses (`writing.md` §1, path rules).
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';

export type Target =
  | { readonly kind: 'root' }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'routine'; readonly name: string };

export function parseTarget(path: string): Result<Target, ApiError> {
  const segments = (path.startsWith('/') ? path.slice(1) : path).split('/').map(decodeSegment);
  const [first = '', second] = segments;
  if (segments.length === 1) return ok(first === '' ? { kind: 'root' } : { kind: 'relation', name: first });
  if (segments.length === 2 && first === 'rpc' && second) return ok({ kind: 'routine', name: second });
  return fail({ kind: 'invalidPath', path });
}

/** A segment that is not valid percent-encoded UTF-8 is used verbatim; it names nothing that exists. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

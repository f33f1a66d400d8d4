// Computes the digests of entity tags.
import { createHash } from 'node:crypto';
import type { AppConfig } from '../config/table/app-config.ts';
import type { Digest } from '../response/entity-tag.ts';

/** In characters of base64url: 132 bits, so that no two representations have the same digest. */
const LENGTH = 22;

const digest: Digest = (identity, bytes) =>
  createHash('sha256').update(identity).update('\n').update(bytes).digest('base64url').slice(0, LENGTH);

/** @returns undefined if responses have no entity tags */
export function findDigest({ serverEtags, extensions }: AppConfig): Digest | undefined {
  return serverEtags && extensions.includes('etag') ? digest : undefined;
}

// The extensions of the API by name (`beyond.md`). The API behaves as if a disabled extension did not exist.

export const EXTENSIONS = [
  'stream',
  'ingest',
  'text',
  'compare',
  'aggregates',
  'trees',
  'cursor',
  'recursive',
  'score',
  'query',
  'etag',
  'batch',
  'idempotency',
  'patch',
  'upsert',
  'events',
  'live',
] as const;

export type Extension = (typeof EXTENSIONS)[number];

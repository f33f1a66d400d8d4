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
  'cost',
  'batch',
  'idempotency',
  'nested',
  'patch',
  'bulk',
  'upsert',
  'changes',
  'messages',
  'events',
  'live',
  'cookie',
  'otel',
  'rates',
  'openapi32',
  'mcp',
] as const;

export type Extension = (typeof EXTENSIONS)[number];

// The extensions of the API by name (`beyond.md`). The API behaves as if a disabled extension did not exist.

export const EXTENSION_NAMES = [
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

export type ExtensionName = (typeof EXTENSION_NAMES)[number];

export type EnabledExtensions = Readonly<Record<ExtensionName, boolean>>;

export function enableExtensions(names: readonly ExtensionName[]): EnabledExtensions {
  const entries = EXTENSION_NAMES.map((name) => [name, names.includes(name)] as const);
  return Object.fromEntries(entries) as EnabledExtensions;
}

/** Returns the enabled ones, in the order of the list. */
export function listExtensions(enabled: EnabledExtensions): readonly ExtensionName[] {
  return EXTENSION_NAMES.filter((name) => enabled[name]);
}

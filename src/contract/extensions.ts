// The extensions of the API by name (`beyond.md`). The API behaves as if a disabled extension did not exist.

const NONE = {
  stream: false,
  ingest: false,
  text: false,
  compare: false,
  aggregates: false,
  trees: false,
  cursor: false,
  recursive: false,
  score: false,
  query: false,
  etag: false,
  cost: false,
  batch: false,
  idempotency: false,
  nested: false,
  patch: false,
  bulk: false,
  upsert: false,
  changes: false,
  messages: false,
  events: false,
  live: false,
  sync: false,
  cookie: false,
  otel: false,
  rates: false,
  openapi32: false,
  mcp: false,
};

export type ExtensionName = keyof typeof NONE;

export const EXTENSION_NAMES: readonly ExtensionName[] = Object.keys(NONE).filter(isExtensionName);

export type EnabledExtensions = Readonly<Record<ExtensionName, boolean>>;

function isExtensionName(name: string): name is ExtensionName {
  return Object.hasOwn(NONE, name);
}

export function enableExtensions(names: readonly ExtensionName[]): EnabledExtensions {
  return { ...NONE, ...Object.fromEntries(names.map((name) => [name, true])) };
}

/** Returns the enabled ones, in the order of the list. */
export function listExtensions(enabled: EnabledExtensions): readonly ExtensionName[] {
  return EXTENSION_NAMES.filter((name) => enabled[name]);
}

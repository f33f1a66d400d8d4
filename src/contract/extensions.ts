// The extensions of the API by name (`beyond.md`). What is switched off behaves as if it had never been built.

export const EXTENSIONS = ['stream', 'ingest'] as const;

export type Extension = (typeof EXTENSIONS)[number];

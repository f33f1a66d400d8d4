// Flags that are not configuration options. Parsing, help and completion all use these tables.

export interface Flag {
  readonly name: string;
  readonly letter?: string;
  /** Placeholder for the value in help: `NAME`. Undefined for a flag without a value. */
  readonly value?: string;
  readonly doc: string;
}

export const HELP: Flag = { name: 'help', letter: 'h', doc: 'Show this help' };

/** Frequently used flags of the command that serves. */
export const COMMON_FLAGS: readonly Flag[] = [
  HELP,
  { name: 'version', letter: 'v', doc: 'Show the version' },
  { name: 'demo', doc: 'Serve the demo from an embedded database' },
];

/** The other flags of the command that serves. Most of them print something and exit. */
export const OTHER_FLAGS: readonly Flag[] = [
  { name: 'example', letter: 'e', doc: 'Show an example configuration file' },
  { name: 'example-file', doc: 'Same as --example' },
  { name: 'example-env', doc: 'Show an example configuration as environment variables' },
  { name: 'example-db', doc: 'Show an example configuration as settings in the database' },
  { name: 'config-schema', doc: 'Show a JSON Schema of the configuration' },
  { name: 'dump-config', doc: 'Show the effective configuration, secrets included' },
  { name: 'dump-schema', doc: 'Load the schema cache and show it as JSON' },
  { name: 'ready', doc: 'Check with the admin server of a running instance whether it is ready' },
  { name: 'runtime-metrics', doc: 'Add Node.js runtime metrics to the metrics of the admin server' },
];

export const MAIN_FLAGS: readonly Flag[] = [...COMMON_FLAGS, ...OTHER_FLAGS];

// The flags that are no options of the configuration; parsing, help and completion are made from these tables.

export interface Flag {
  readonly name: string;
  readonly letter?: string;
  /** What help calls its value: `NAME`. A flag without one takes no value. */
  readonly value?: string;
  readonly doc: string;
}

export const HELP: Flag = { name: 'help', letter: 'h', doc: 'Show this text' };

/** Of the command without a name, which most people need. */
export const COMMON_FLAGS: readonly Flag[] = [
  HELP,
  { name: 'version', letter: 'v', doc: 'Show the version' },
  { name: 'demo', doc: 'Serve a demo from an embedded database' },
];

/** Of the command without a name; most of them show something in place of serving. */
export const OTHER_FLAGS: readonly Flag[] = [
  { name: 'example', letter: 'e', doc: 'Show an example configuration file' },
  { name: 'example-file', doc: 'The same as --example' },
  { name: 'example-env', doc: 'Show an example configuration as environment variables' },
  { name: 'example-db', doc: 'Show an example configuration as settings in the database' },
  { name: 'config-schema', doc: 'Show a JSON Schema of the configuration' },
  { name: 'dump-config', doc: 'Show the effective configuration, secrets included' },
  { name: 'dump-schema', doc: 'Load the schema cache once and show it as JSON' },
  { name: 'ready', doc: 'Ask the admin server of a running instance whether it is ready' },
  { name: 'runtime-metrics', doc: 'Add metrics of the runtime to those of the admin server' },
];

export const MAIN_FLAGS: readonly Flag[] = [...COMMON_FLAGS, ...OTHER_FLAGS];

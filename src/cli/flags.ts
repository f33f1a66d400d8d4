// The options of the command line without a value; help and argument parsing are made from this table.

export type Flag =
  | 'help'
  | 'version'
  | 'example'
  | 'example-file'
  | 'example-env'
  | 'example-db'
  | 'config-schema'
  | 'dump-config'
  | 'dump-schema'
  | 'ready'
  | 'runtime-metrics'
  | 'demo';

export interface FlagHelp {
  readonly name: Flag;
  readonly letter?: string;
  readonly doc: string;
}

export const FLAGS: readonly FlagHelp[] = [
  { name: 'help', letter: 'h', doc: 'Show this text' },
  { name: 'version', letter: 'v', doc: 'Show the version' },
  { name: 'example', letter: 'e', doc: 'Show an example configuration file' },
  { name: 'example-file', doc: 'The same as --example' },
  { name: 'example-env', doc: 'Show an example configuration as environment variables' },
  { name: 'example-db', doc: 'Show an example configuration as settings in the database' },
  { name: 'config-schema', doc: 'Show a JSON Schema of the configuration' },
  { name: 'dump-config', doc: 'Show the effective configuration, secrets included' },
  { name: 'dump-schema', doc: 'Load the schema cache once and show it as JSON' },
  { name: 'ready', doc: 'Ask the admin server of a running instance whether it is ready' },
  { name: 'runtime-metrics', doc: 'Add metrics of the runtime to those of the admin server' },
  { name: 'demo', doc: 'Serve a demo from an embedded database' },
];

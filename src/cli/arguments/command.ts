// What the program can be asked to do, and what the command line says of the configuration.
import type { JsonObject } from '../../util/json-object.ts';
import type { DialectName } from '../../contract/dialect.ts';

/** `sql`, `types`; the command without a name serves. */
export type CommandName = string;

export type Shell = 'bash' | 'zsh' | 'fish';

export type Command =
  | { readonly kind: 'help'; /** Undefined: the program as a whole. */ readonly about: CommandName | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'example'; readonly format: 'file' | 'environment' | 'database' }
  | { readonly kind: 'configSchema' }
  | { readonly kind: 'dumpConfig' }
  | { readonly kind: 'dumpSchema' }
  | { readonly kind: 'types'; readonly areFunctionsExact: boolean }
  | { readonly kind: 'ready' }
  | { readonly kind: 'doctor'; readonly isJson: boolean }
  | {
      readonly kind: 'init';
      /** Of somebody who may make roles. */
      readonly uri: string | undefined;
      readonly schema: string | undefined;
      readonly anonRole: string | undefined;
      readonly loginRole: string | undefined;
      readonly passwordFile: string | undefined;
      /** The configuration file to write. */
      readonly file: string | undefined;
      /** `ask`: on a terminal; elsewhere nothing is run. */
      readonly mode: 'ask' | 'run' | 'print';
      readonly isForced: boolean;
    }
  | {
      readonly kind: 'token';
      readonly role: string;
      /** Beside the role. */
      readonly claims: JsonObject;
      /** Seconds from now. */
      readonly lifetime: number;
    }
  | { readonly kind: 'completion'; readonly shell: Shell }
  | { readonly kind: 'loadSql'; readonly file: string; readonly database: string | undefined }
  | {
      readonly kind: 'serve';
      /** `offered`: neither arguments nor environment say what to serve. */
      readonly demo: 'wanted' | 'offered' | 'unwanted';
      readonly hasRuntimeMetrics: boolean;
    }
  | {
      readonly kind: 'dev';
      /** Of requests without a token; undefined: the login role. */
      readonly role: string | undefined;
    };

export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

export interface StatedConfig {
  /** The configuration file. */
  readonly file: string | undefined;
  /** Undefined: as environment and file say. */
  readonly dialect: DialectName | undefined;
  /** By name; they go before environment and file. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Invocation {
  readonly command: Command;
  readonly config: StatedConfig;
}

// Types of the commands and of the configuration given on the command line.
import type { JsonObject } from '../../src/util/json-object.ts';
import type { DialectName } from '../../src/contract/dialect.ts';

/** The configuration options: those of a group, or all of them. */
export interface OptionTopic {
  readonly group: string | undefined;
}

/** Undefined: the whole program. */
export type HelpTopic = CommandName | OptionTopic | undefined;

/** `sql` or `types`, for example. The command that serves has no name. */
export type CommandName = string;

export type Shell = 'bash' | 'zsh' | 'fish';

/** How `check` reports. */
export type CheckFormat = 'text' | 'json' | 'github';

export type Command =
  | { readonly kind: 'help'; readonly about: HelpTopic }
  | { readonly kind: 'version' }
  | { readonly kind: 'example'; readonly format: 'file' | 'environment' | 'database' }
  | { readonly kind: 'configSchema' }
  | { readonly kind: 'dumpConfig' }
  | { readonly kind: 'dumpSchema' }
  | { readonly kind: 'types'; readonly areFunctionsExact: boolean }
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'doctor';
      readonly isJson: boolean;
      /** Whether to show notes too. */
      readonly isVerbose: boolean;
      /** Whether to write a migration. */
      readonly isFix: boolean;
    }
  | {
      readonly kind: 'init';
      /** Connects as a role that can create roles. */
      readonly uri: string | undefined;
      readonly schema: string | undefined;
      readonly anonRole: string | undefined;
      readonly loginRole: string | undefined;
      readonly passwordFile: string | undefined;
      /** The configuration file to write. */
      readonly file: string | undefined;
      /** `ask` prompts on a terminal; without one, it only prints the SQL. */
      readonly mode: 'ask' | 'run' | 'print';
      readonly isForced: boolean;
      /** Only creates the table for idempotency keys. */
      readonly isIdempotency: boolean;
      /** Only sets up that rows can be watched. */
      readonly isLive: boolean;
      /** Names of existing tables that requests without a token may read or write, and that get a policy. */
      readonly tables: Readonly<Record<'read' | 'write' | 'policy', readonly string[]>>;
      /** Role whose tokens may change the rows of every table; `undefined` to create none, or to ask. */
      readonly editorRole: string | undefined;
      /** Who may access tables that are created later beside existing ones. */
      readonly future: Readonly<Record<'isReadable' | 'isWritable' | 'isEditable', boolean>>;
    }
  | {
      readonly kind: 'token';
      readonly role: string;
      /** Claims other than the role. */
      readonly claims: JsonObject;
      /** Seconds from now. */
      readonly lifetime: number;
    }
  | {
      readonly kind: 'compare';
      readonly oldUrl: URL;
      readonly newUrl: URL;
      readonly source: RequestSource;
      /** URL of the API when the requests were recorded. */
      readonly recordedAt: URL;
      /** As given; `@FILE` names a file that contains it. */
      readonly token: string | undefined;
      /** Whether requests that may change data are sent, to be rolled back. */
      readonly hasWrites: boolean;
      readonly concurrency: number;
      readonly timeoutMs: number;
      /** Whether known departures count as no difference. */
      readonly areKnownAllowed: boolean;
      readonly isJson: boolean;
    }
  | {
      readonly kind: 'diff';
      /** A folder and what it is compared with, each at most once. */
      readonly operands: readonly string[];
      readonly action: DiffAction;
    }
  | {
      readonly kind: 'check';
      readonly subject:
        | { readonly kind: 'project'; readonly folder: string }
        | {
            readonly kind: 'database';
            readonly uri: string;
            /** Whether probes write too. */
            readonly hasWriteProbes: boolean;
          };
      readonly format: CheckFormat;
      /** Generated types to compare with the schema of a project. */
      readonly typesFile: string | undefined;
    }
  | {
      readonly kind: 'mutate';
      /** The folder of the project. */
      readonly folder: string;
      readonly format: CheckFormat;
      /** The command that runs the tests. */
      readonly tests: readonly [string, ...string[]];
    }
  | {
      readonly kind: 'new';
      /** The folder to write. */
      readonly name: string;
      readonly template: TemplateName;
    }
  | {
      readonly kind: 'migrate';
      /** The folder of the project. */
      readonly folder: string;
      /** Connects as the owner of the schema. */
      readonly uri: string;
      /** In milliseconds. */
      readonly lockTimeout: number;
      readonly action: MigrateAction;
    }
  | {
      readonly kind: 'deploy';
      /** The folder of the project. */
      readonly folder: string;
      /** Connects as the owner of the schema. */
      readonly uri: string;
      /** In milliseconds. */
      readonly lockTimeout: number;
      /** File with the password of the login role. */
      readonly passwordFile: string | undefined;
      /** `ask` shows the plan and asks; `dryRun` only rehearses it. */
      readonly mode: 'ask' | 'run' | 'dryRun';
    }
  | {
      readonly kind: 'mcp';
      /** Whose privileges the agent has; undefined: those of requests without a token. */
      readonly identity: AgentIdentity | undefined;
    }
  | { readonly kind: 'completion'; readonly shell: Shell }
  | {
      readonly kind: 'loadSql';
      /** Undefined: opens psql for the database of a project. */
      readonly file: string | undefined;
      readonly database: string | undefined;
    }
  | {
      readonly kind: 'serve';
      /** `default`: neither arguments nor environment specify a database to serve. */
      readonly demo: 'requested' | 'default' | 'off';
      readonly hasRuntimeMetrics: boolean;
    }
  | {
      readonly kind: 'dev';
      /** The role of requests without a token. Defaults to the login role. */
      readonly role: string | undefined;
      /** Connects the SQL page and the pages about access as an owner of the tables; `@FILE` names a file. */
      readonly inspectUri: string | undefined;
      /** Where to write TypeScript types after each change of a project. */
      readonly typesFile: string | undefined;
      /** Whether changes of a project that lose data are applied without a question. */
      readonly isLossAllowed: boolean;
      /** Whether memberships and settings of roles are applied on a server of one's own too. */
      readonly areRolesApplied: boolean;
      /** Whether the database of a project is recreated. */
      readonly isFresh: boolean;
      /** Whether the tables of a project are emptied and filled again from `seed/`. */
      readonly isReseeded: boolean;
    };

/** A database role, or a token as given: `@FILE` names a file that contains it. */
export type AgentIdentity =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'token'; readonly token: string };

export type TemplateName = 'todo' | 'shop' | 'chat' | 'tenants' | 'tasks-live';

export type DiffAction =
  | {
      /** Compares what clients notice. */
      readonly kind: 'api';
      /** Access log or HAR file whose requests are counted. */
      readonly log: string | undefined;
      /** URL of the API when the log was recorded. */
      readonly recordedAt: URL | undefined;
      readonly isJson: boolean;
    }
  | {
      /** Compares the schemas. */
      readonly kind: 'schema';
      /** Name of the migration to write; undefined: it is printed. */
      readonly name: string | undefined;
      /** Whether only the exit code tells of a difference. */
      readonly isCheck: boolean;
      /** Whether a migration is written that loses data. */
      readonly isLossAllowed: boolean;
      /** Whether a migration is written without values that may be secret. */
      readonly areSecretsOmitted: boolean;
    };

export type MigrateAction =
  | { readonly kind: 'apply' | 'status' | 'dryRun' }
  /** Records the migrations up to this one as applied. */
  | { readonly kind: 'baseline'; readonly name: string };

/** Where `compare` takes its requests from; `description` is the root of the old server. */
export type RequestSource =
  | { readonly kind: 'requests' | 'har' | 'log'; readonly file: string }
  | { readonly kind: 'description' };

export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

export interface CommandLineConfig {
  /** The configuration file. */
  readonly file: string | undefined;
  /** Undefined: taken from the environment or the file. */
  readonly dialect: DialectName | undefined;
  /** Keyed by option name; these override environment and file. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Invocation {
  readonly command: Command;
  readonly config: CommandLineConfig;
}

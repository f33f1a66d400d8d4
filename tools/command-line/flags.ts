// The flags that are configuration options. Parsing, help and completion all use these tables.
import { OPTIONS, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';

export interface Flag {
  readonly name: string;
  readonly letter?: string;
  /** Placeholder for the value in help: `NAME`. Undefined for a flag without a value. */
  readonly value?: string;
  readonly doc: string;
}

export interface OptionFlag extends Flag {
  /** The option's current name, even if the flag is an older alias. */
  readonly option: string;
  /** The bare flag means true; any other value must be joined with `=`. */
  readonly isBoolean: boolean;
}

/** Placeholders for values in help, by type label. Boolean options have none. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  Int: 'NUMBER',
  Enum: 'WORD',
  List: 'LIST',
  Octal: 'MODE',
  Path: 'PATH',
  URI: 'URI',
  Function: 'FUNCTION',
};

const MAX_PLACEHOLDER_LENGTH = 16;

/** A flag for every configuration option: `db-anon-role` becomes `--db-anon-role TEXT`. */
export const OPTION_FLAGS: readonly OptionFlag[] = PUBLIC_OPTION_KEYS.map((key) => {
  const { name, doc, type } = OPTIONS[key];
  const isBoolean = type.label === 'Boolean';
  const value = isBoolean ? {} : { value: listWords(type.schema['enum']) ?? PLACEHOLDERS[type.label] ?? 'TEXT' };
  return { name, option: name, doc, isBoolean, ...value };
});

/** Lists the allowed words if they are short enough to fit in help. */
function listWords(words: unknown): string | undefined {
  const text = Array.isArray(words) ? words.join('|') : undefined;
  return text !== undefined && text.length <= MAX_PLACEHOLDER_LENGTH ? text : undefined;
}

/** Older names, accepted but not shown in help. */
export const ALIAS_FLAGS: readonly OptionFlag[] = PUBLIC_OPTION_KEYS.flatMap((key) => {
  const { name, aliases = [] } = OPTIONS[key];
  const flag = OPTION_FLAGS.find(({ option }) => option === name);
  return flag === undefined ? [] : aliases.map((alias) => renameFlag(flag, alias));
});

function renameFlag(flag: OptionFlag, name: string): OptionFlag {
  return { ...flag, name };
}

/** A group of configuration options in the help. */
export interface OptionFlagGroup {
  /** As in `help options live`. */
  readonly key: string;
  readonly heading: string;
  /** Of the names of its options. */
  readonly prefixes: readonly string[];
}

export const OPTION_GROUPS: readonly OptionFlagGroup[] = [
  { key: 'database', heading: 'Database', prefixes: ['db-'] },
  { key: 'tokens', heading: 'Tokens', prefixes: ['jwt-'] },
  { key: 'server', heading: 'Servers and limits', prefixes: ['server-', 'admin-server-', 'client-'] },
  { key: 'requests', heading: 'Requests', prefixes: ['url-', 'batch-', 'nested-', 'idempotency-'] },
  { key: 'live', heading: 'Live responses', prefixes: ['events-', 'live-'] },
  {
    key: 'other',
    heading: 'API description, agents, dialect, logs',
    prefixes: ['openapi-', 'mcp-', 'dialect', 'extensions', 'log-'],
  },
];

// Every option of the configuration as a flag: `db-anon-role` is `--db-anon-role NAME`. Made from the option table.
import { OPTIONS, PUBLIC_OPTION_KEYS } from '../../config/table/options.ts';
import type { Flag } from './flags.ts';

export interface OptionFlag extends Flag {
  /** The option's own name, also where the flag is one of its older names. */
  readonly option: string;
  /** The flag by itself means true; another value is joined to it by `=`. */
  readonly isBoolean: boolean;
}

/** What help calls a value, by the label of its type; that of Boolean options is left out. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  Int: 'NUMBER',
  Enum: 'WORD',
  List: 'LIST',
  Octal: 'MODE',
  Path: 'PATH',
  URI: 'URI',
  Function: 'FUNCTION',
};

const LONGEST_PLACEHOLDER = 16;

export const OPTION_FLAGS: readonly OptionFlag[] = PUBLIC_OPTION_KEYS.map((key) => {
  const { name, doc, type } = OPTIONS[key];
  const isBoolean = type.label === 'Boolean';
  const value = isBoolean ? {} : { value: listWords(type.schema['enum']) ?? PLACEHOLDERS[type.label] ?? 'TEXT' };
  return { name, option: name, doc, isBoolean, ...value };
});

/** The words that are allowed, where they are so few that help has room for them. */
function listWords(words: unknown): string | undefined {
  const text = Array.isArray(words) ? words.join('|') : undefined;
  return text !== undefined && text.length <= LONGEST_PLACEHOLDER ? text : undefined;
}

/** Older names, which are understood and not shown. */
export const ALIAS_FLAGS: readonly OptionFlag[] = PUBLIC_OPTION_KEYS.flatMap((key) => {
  const { name, aliases = [] } = OPTIONS[key];
  const flag = OPTION_FLAGS.find(({ option }) => option === name);
  return flag === undefined ? [] : aliases.map((alias) => renameFlag(flag, alias));
});

function renameFlag(flag: OptionFlag, name: string): OptionFlag {
  return { ...flag, name };
}

// What an option's values look like: how each source's value is read, and how a value is printed (`operating.md` §1.3).
import { ok, type Result } from '../contract/result.ts';
import type { FunctionReference } from './app-config.ts';
import { type ConfigValue, readBoolean, readInteger, readList, readText } from './config-value.ts';
import { parseFunctionReference, printFunctionReference } from './function-reference.ts';

export interface OptionType<T> {
  /** Name of the type in documentation. */
  readonly label: string;
  /** `undefined`: nothing usable, so the default applies. An error is a value the server must not start with. */
  readonly parse: (value: ConfigValue, optionName: string) => Result<T | undefined, string>;
  /** The text by which any source can state the value. */
  readonly print: (value: T) => string;
  /** Printed without quotes in the file. */
  readonly isBare: boolean;
  /** What a JSON Schema says of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A type whose values are text that `check` may refuse with a message. */
export function textType<T extends string>(
  label: string,
  check: (text: string, optionName: string) => Result<T, string>,
  schema: Readonly<Record<string, unknown>> = {},
): OptionType<T> {
  return {
    label,
    parse: (value, optionName) => {
      const text = readText(value);
      return text === undefined || text === '' ? ok(undefined) : check(text, optionName);
    },
    print: (text) => text,
    isBare: false,
    schema: { type: 'string', ...schema },
  };
}

export const STRING: OptionType<string> = textType('String', ok);

export const PATH: OptionType<string> = textType('Path', ok);

export const INTEGER: OptionType<number> = {
  label: 'Int',
  parse: (value) => ok(readInteger(value)),
  print: String,
  isBare: true,
  schema: { type: 'integer' },
};

export const BOOLEAN: OptionType<boolean> = {
  label: 'Boolean',
  parse: (value) => ok(readBoolean(value)),
  print: String,
  isBare: true,
  schema: { type: 'boolean' },
};

/** A Boolean that also knows words for its two values. */
export function booleanWithWords(words: ReadonlyMap<string, boolean>): OptionType<boolean> {
  return { ...BOOLEAN, parse: (value) => ok(words.get(readText(value) ?? '') ?? readBoolean(value)) };
}

const LIST_SCHEMA = { type: 'string', description: 'Comma separated' };

/** An empty list gives the default. */
export const LIST: OptionType<readonly string[]> = {
  label: 'List',
  parse: (value) => {
    const items = readList(value);
    return ok(items.length === 0 ? undefined : items);
  },
  print: (items) => items.join(','),
  isBare: false,
  schema: LIST_SCHEMA,
};

/** An empty list is a value of its own. */
export const LIST_OR_NONE: OptionType<readonly string[]> = { ...LIST, parse: (value) => ok(readList(value)) };

export const FUNCTION: OptionType<FunctionReference> = {
  label: 'Function',
  parse: (value) => {
    const text = readText(value);
    return ok(text === undefined || text === '' ? undefined : parseFunctionReference(text));
  },
  print: printFunctionReference,
  isBare: false,
  schema: { type: 'string' },
};

/** Text whose bytes matter; it may have been read from a file that is no UTF-8. */
export const SECRET: OptionType<Uint8Array> = {
  label: 'String',
  parse: (value) => {
    const text = readText(value);
    return ok(text === undefined || text === '' ? undefined : new TextEncoder().encode(text));
  },
  print: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  isBare: false,
  schema: { type: 'string' },
};

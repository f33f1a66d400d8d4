// What an option's values look like: how each source's value is read, and how a value is printed (`operating.md` §1.3).
import { ok, type Result } from '../../contract/result.ts';
import type { FunctionReference } from './app-config.ts';
import { type ConfigValue, isBlank, readBoolean, readInteger, readList, readText } from '../syntax/config-value.ts';
import { parseFunctionReference, printFunctionReference } from './function-reference.ts';

export interface OptionType<T> {
  /** Name of the type in documentation. */
  readonly label: string;
  /** `undefined`: nothing usable, so the default applies. An error is a value that no command accepts. */
  readonly parse: (value: ConfigValue, optionName: string) => Result<T | undefined, string>;
  /** Of values that a server does not start with, although a dump shows what would become of them. */
  readonly demand?: Demand;
  /** The text by which any source can state the value. */
  readonly print: (value: T) => string;
  /** Printed without quotes in the file. */
  readonly isBare: boolean;
  /** What a JSON Schema says of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Demand {
  /** What is allowed: `true or false`. */
  readonly allowed: string;
  readonly isMet: (value: ConfigValue) => boolean;
}

/** A type whose values are text that `check` may refuse with a message. */
export function textType<T extends string>(
  label: string,
  check: (text: string, optionName: string) => Result<T, string>,
  schema: Readonly<Record<string, unknown>> = {},
): OptionType<T> {
  return {
    label,
    parse: (value, name) => {
      const text = readText(value);
      return text === undefined || text === '' ? ok(undefined) : check(text, name);
    },
    print: (text) => text,
    isBare: false,
    schema: { type: 'string', ...schema },
  };
}

export const STRING: OptionType<string> = textType('String', ok);

export const PATH: OptionType<string> = textType('Path', ok);

/** A whole number; without `highest`, as large as a program can count. */
export function integer(lowest: number, highest?: number): OptionType<number> {
  const isWithin = (number: number): boolean => number >= lowest && (highest === undefined || number <= highest);
  return {
    label: 'Int',
    parse: (value) => ok(readInteger(value)),
    demand: {
      allowed: `a whole number ${highest === undefined ? `of at least ${lowest}` : `from ${lowest} to ${highest}`}`,
      isMet: (value) => {
        const number = readInteger(value);
        return number === undefined ? isBlank(value) : isWithin(number);
      },
    },
    print: String,
    isBare: true,
    schema: { type: 'integer', minimum: lowest, ...(highest === undefined ? {} : { maximum: highest }) },
  };
}

export const PORT: OptionType<number> = integer(0, 65_535);

/** As many as a timer can count, in milliseconds. */
export const SECONDS: OptionType<number> = integer(0, Math.floor((2 ** 31 - 1) / 1000));

export const BOOLEAN: OptionType<boolean> = booleanWithWords(new Map());

/** A Boolean that also knows words for its two values. */
export function booleanWithWords(words: ReadonlyMap<string, boolean>): OptionType<boolean> {
  const read = (value: ConfigValue): boolean | undefined => words.get(readText(value) ?? '') ?? readBoolean(value);
  return {
    label: 'Boolean',
    parse: (value) => ok(read(value)),
    demand: {
      allowed: 'true or false',
      isMet: (value) => isBlank(value) || read(value) !== undefined,
    },
    print: String,
    isBare: true,
    schema: { type: 'boolean' },
  };
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

// Option types: how to parse a value from each source and how to print it (`operating.md` §1.3).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { FunctionReference } from './app-config.ts';
import {
  type ConfigValue,
  isBlank,
  parseCost,
  readBoolean,
  readInteger,
  readList,
  readText,
} from '../syntax/config-value.ts';

export interface OptionType<T> {
  /** Name of the type in the documentation. */
  readonly label: string;
  /** Returns `undefined` for an unusable value: the default applies. Fails for a value that every command rejects. */
  readonly parse: (value: ConfigValue, optionName: string) => Result<T | undefined, string>;
  /** Values that do not meet it prevent startup; a dump still shows what they resolve to. */
  readonly requirement?: Requirement;
  /** Returns text that every source accepts for the value. */
  readonly print: (value: T) => string;
  /** Whether the file form is printed without quotes. */
  readonly isBare: boolean;
  /** JSON Schema keywords for the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Requirement {
  /** The allowed values in words: `true or false`. */
  readonly allowed: string;
  readonly isMet: (value: ConfigValue) => boolean;
}

/** A text type whose values `check` may reject with a message. */
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

/** A whole number; without `highest`, up to the largest safe integer. */
export function integer(lowest: number, highest?: number): OptionType<number> {
  const isWithin = (number: number): boolean => number >= lowest && (highest === undefined || number <= highest);
  return {
    label: 'Int',
    parse: (value) => ok(readInteger(value)),
    requirement: {
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

/** A cost in units of PostgreSQL's planner. */
export const COST: OptionType<number> = {
  label: 'Number',
  parse: (value) => ok(readCost(value)),
  requirement: {
    allowed: 'a number of at least 0',
    isMet: (value) => isBlank(value) || readCost(value) !== undefined,
  },
  print: String,
  isBare: true,
  schema: { type: 'number', minimum: 0 },
};

function readCost(value: ConfigValue): number | undefined {
  return value.kind === 'text' || value.kind === 'number' ? parseCost(value.text) : undefined;
}

export const PORT: OptionType<number> = integer(0, 65_535);

/** Up to the longest delay of a timer, 2^31 - 1 milliseconds. */
export const SECONDS: OptionType<number> = integer(0, Math.floor((2 ** 31 - 1) / 1000));

export const BOOLEAN: OptionType<boolean> = booleanWithWords(new Map());

/** A boolean that also accepts the given words. */
export function booleanWithWords(words: ReadonlyMap<string, boolean>): OptionType<boolean> {
  const read = (value: ConfigValue): boolean | undefined => words.get(readText(value) ?? '') ?? readBoolean(value);
  return {
    label: 'Boolean',
    parse: (value) => ok(read(value)),
    requirement: {
      allowed: 'true or false',
      isMet: (value) => isBlank(value) || read(value) !== undefined,
    },
    print: String,
    isBare: true,
    schema: { type: 'boolean' },
  };
}

const LIST_SCHEMA = { type: 'string', description: 'Comma separated' };

/** An empty list falls back to the default. */
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

/** An empty list is a valid value. */
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

/** Text compared as bytes; the original may come from a file that is not UTF-8. */
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

/** Parses `schema.function` or `function`, both parts exact identifiers (`operating.md` §1.3 item 7). */
function parseFunctionReference(text: string): FunctionReference {
  const dot = text.indexOf('.');
  if (dot === -1) return { schema: undefined, name: text };
  return { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

export function printFunctionReference(reference: FunctionReference): string {
  return reference.schema === undefined ? reference.name : `${reference.schema}.${reference.name}`;
}

/** Quotes the reference for SQL; without a schema, the search path decides at call time. */
export function quoteFunctionReference(reference: FunctionReference): string {
  const name = quoteIdentifier(reference.name);
  return reference.schema === undefined ? name : `${quoteIdentifier(reference.schema)}.${name}`;
}

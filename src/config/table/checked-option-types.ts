// Option types whose invalid values prevent startup, each with the message for the operator (`operating.md` §1.6).
import {
  type EnabledExtensions,
  enableExtensions,
  EXTENSION_NAMES,
  listExtensions,
} from '../../contract/extensions.ts';
import { mayAllowInParts } from '../../contract/part-headers.ts';
import { parseRateLimit, printRateLimit, type RateKey, type RateLimit } from '../../contract/rate-limit.ts';
import { fail, ok } from '../../contract/result.ts';
import { isSecureUri } from '../../util/secure-uri.ts';
import { readInteger, readList, readText } from '../syntax/config-value.ts';
import { LIST, type OptionType, textType } from './option-types.ts';
import { isProxyUri, parseUri } from './uri.ts';

const FORBIDDEN_SCHEMAS: readonly string[] = ['pg_catalog', 'information_schema'];
const MIN_MODE = 0o600;
const MAX_MODE = 0o777;

/** Accepts exactly one of the given words. */
export function enumeration<T extends string>(words: readonly T[], message: string): OptionType<T> {
  return textType<T>(
    'Enum',
    (text, name) => {
      const word = words.find((candidate) => candidate === text);
      return word === undefined
        ? fail(`${message} Allowed for ${name}, not ${quote(text)}: ${words.join(', ')}.`)
        : ok(word);
    },
    { enum: words },
  );
}

/** Accepts `all`, `none`, or a list of names. */
export const EXTENSION_LIST: OptionType<EnabledExtensions> = {
  ...LIST,
  parse: (value, name) => {
    const words = readList(value);
    const [word] = words;
    if (word === undefined) return ok(undefined);
    if (words.length === 1 && word === 'all') return ok(enableExtensions(EXTENSION_NAMES));
    if (words.length === 1 && word === 'none') return ok(enableExtensions([]));
    const unknown = words.find((candidate) => !EXTENSION_NAMES.some((extension) => extension === candidate));
    if (unknown === undefined) return ok(enableExtensions(EXTENSION_NAMES.filter((name) => words.includes(name))));
    const allowed = `Allowed for ${name}, not ${quote(unknown)}: all, none, or some of ${EXTENSION_NAMES.join(', ')}.`;
    return fail(`Unknown extension. Check your configuration. ${allowed}`);
  },
  print: (enabled) => {
    const names = listExtensions(enabled);
    if (names.length === 0) return 'none';
    return names.length === EXTENSION_NAMES.length ? 'all' : names.join(',');
  },
};

/** Quotes as JSON, so that a line break in the value does not split the message. */
function quote(text: string): string {
  return JSON.stringify(text);
}

export const SOCKET_MODE: OptionType<number> = {
  label: 'Octal',
  parse: (value, name) => {
    const text = readText(value) ?? '';
    if (text === '') return ok(undefined);
    // Text that starts with octal digits is checked for its range first: 599 counts as 5.
    const [digits = ''] = /^[0-7]+/.exec(text) ?? [];
    const mode = Number.parseInt(digits, 8);
    if (mode < MIN_MODE || mode > MAX_MODE) return fail(`Invalid ${name}: needs to be between 600 and 777`);
    return digits === text ? ok(mode) : fail(`Invalid ${name}: not an octal`);
  },
  print: (mode) => mode.toString(8),
  isBare: false,
  schema: { type: 'string', pattern: '^0*[67][0-7][0-7]$' },
};

const MAX_WORKERS = 256;

/** A number of processes, or `auto`. */
export const WORKERS: OptionType<number | 'auto'> = {
  label: 'Int or auto',
  parse: (value, name) => {
    const text = readText(value)?.trim() ?? '';
    if (text === '') return ok(undefined);
    if (text === 'auto') return ok(text);
    const count = readInteger(value);
    return count === undefined || count < 1 || count > MAX_WORKERS
      ? fail(`Invalid ${name}: needs to be auto, or a whole number from 1 to ${MAX_WORKERS}, not ${quote(text)}.`)
      : ok(count);
  },
  print: String,
  isBare: false,
  schema: { oneOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: MAX_WORKERS }] },
};

/** Rejects the system schemas. */
export const SCHEMA_LIST: OptionType<readonly string[]> = {
  ...LIST,
  parse: (value, name) => {
    const schemas = LIST.parse(value, name);
    const forbidden = schemas.ok && FORBIDDEN_SCHEMAS.find((schema) => schemas.value?.includes(schema));
    return forbidden ? fail(`${name} does not allow schema: '${forbidden}'`) : schemas;
  },
};

export const PROXY_URI: OptionType<string> = textType(
  'URI',
  (text) =>
    isProxyUri(text) ? ok(text) : fail('Malformed proxy uri, a correct example: https://example.com:8443/basePath'),
  { format: 'uri' },
);

/** Path of an endpoint beside the API: `/mcp`. */
export const ENDPOINT_PATH: OptionType<string> = textType(
  'Path',
  (text, name) =>
    /^(?:\/[\w.~-]+)+$/u.test(text)
      ? ok(text)
      : fail(`Invalid ${name}: must be a path of letters, digits and . _ ~ - such as /mcp, not ${quote(text)}`),
  { pattern: '^(/[\\w.~-]+)+$' },
);

/** A token of RFC 9110 §5.6.2, as RFC 6265 §4.1.1 requires. */
export const COOKIE_NAME: OptionType<string> = textType(
  'String',
  (text, name) =>
    /^[\w!#$%&'*+.^`|~-]+$/u.test(text)
      ? ok(text)
      : fail(`Invalid ${name}: must be the name of a cookie, such as session, not ${quote(text)}`),
  { pattern: "^[\\w!#$%&'*+.^`|~-]+$" },
);

/** URL of a page for people. */
export const PAGE_URI: OptionType<string> = textType(
  'URI',
  (text, name) => {
    const uri = parseUri(text);
    const isPage = uri?.authority !== undefined && uri.authority.host !== '' && /^https?$/i.test(uri.scheme);
    return isPage ? ok(text) : fail(`Invalid ${name}: must be the URL of a web page, such as https://example.com/docs`);
  },
  { format: 'uri' },
);

/** URL that keys can be trusted from: `https`, or `http` to this machine. */
export const KEY_SET_URI: OptionType<string> = textType(
  'URI',
  (text, name) =>
    isSecureUri(text) ? ok(text) : fail(`Invalid ${name}: must be a URL with https, or with http to this machine`),
  { format: 'uri' },
);

/** Free text; if it contains a `:`, it must be a URI (RFC 7519, StringOrURI). */
export const AUDIENCE: OptionType<string> = textType('String', (text) =>
  text.includes(':') && parseUri(text) === undefined ? fail('jwt-aud should be a string or a valid URI') : ok(text),
);

/** A rate: `50/s burst 100`. */
export const RATE: OptionType<RateLimit> = {
  label: 'Rate',
  parse: (value, name) => {
    const text = readText(value)?.trim() ?? '';
    if (text === '') return ok(undefined);
    const limit = parseRateLimit(text);
    return limit === undefined
      ? fail(`Invalid ${name}: must be a rate such as 50/s, 600/m burst 50 or 1000/h, not ${JSON.stringify(text)}.`)
      : ok(limit);
  },
  print: printRateLimit,
  isBare: false,
  schema: { type: 'string', examples: ['50/s burst 100'] },
};

/** What a rate limit counts by: `role`, `address` or `claim:PATH`. */
export const RATE_KEY: OptionType<RateKey> = textType(
  'String',
  (text, name) =>
    isRateKey(text)
      ? ok(text)
      : fail(`Invalid ${name}: must be role, address or claim:PATH, not ${JSON.stringify(text)}.`),
  { pattern: '^(?:role|address|claim:.+)$' },
);

function isRateKey(text: string): text is RateKey {
  return text === 'role' || text === 'address' || (text.startsWith('claim:') && text.length > 'claim:'.length);
}

/** Addresses and networks are checked no further than their characters: what matches nothing is trusted in nothing. */
export const PROXY_LIST: OptionType<readonly string[]> = {
  ...LIST,
  parse: (value, name) => {
    const items = readList(value);
    const wrong = items.find((item) => !/^(?:unix|[\da-f.:]+(?:\/\d{1,3})?)$/iu.test(item));
    if (wrong === undefined) return ok(items.length === 0 ? undefined : items);
    return fail(
      `Invalid ${name}: must list addresses, networks such as 10.0.0.0/8, or unix, not ${JSON.stringify(wrong)}.`,
    );
  },
};

/** Names of headers that the requests inside a request may have, in lower case. */
export const HEADER_LIST: OptionType<readonly string[]> = {
  ...LIST,
  parse: (value, name) => {
    const names = readList(value).map((item) => item.toLowerCase());
    const wrong = names.find((item) => !mayAllowInParts(item));
    if (wrong === undefined) return ok(names.length === 0 ? undefined : [...new Set(names)]);
    return fail(
      `Invalid ${name}: must list names of headers that each request may set for itself, such as x-tenant, not ${quote(wrong)}.`,
    );
  },
};

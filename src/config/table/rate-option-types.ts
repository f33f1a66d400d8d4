// Option types for rate limits: the rate, what it counts by, and the proxies whose word is taken for an address.
import { fail, ok } from '../../contract/result.ts';
import { parseRateLimit, printRateLimit, type RateKey, type RateLimit } from '../../contract/rate-limit.ts';
import { readList, readText } from '../syntax/config-value.ts';
import { LIST, type OptionType, textType } from './option-types.ts';

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

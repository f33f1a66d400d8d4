// Generates a random body of any kind for the given fields, mostly valid.
import type { Random } from './random.ts';
import type { Question } from '../http-client.ts';
import { breakText, encode } from './random-request.ts';
import { asText, randomValue } from './write-values.ts';

export interface Field {
  readonly name: string;
  readonly type: string;
  /** A required value, as JSON. */
  readonly value?: string;
}

const CONTENT_TYPES = [
  'text/csv',
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'image/png',
  'application/json; charset=utf-8',
  'x',
];

export type Body = Pick<Question, 'headers' | 'body'>;

export function randomBody(random: Random, fields: readonly Field[]): Body {
  const row = (): string => {
    const shown = random.chance(0.05) ? fields.slice(1) : fields;
    return `{${shown.map((field) => `${JSON.stringify(field.name)}:${valueOf(random, field)}`).join(',')}}`;
  };
  const kind = random.roll(20);
  if (kind < 8) return jsonBody(random, row());
  if (kind < 13) return jsonBody(random, `[${random.list(0, 3, row).join(random.pick([',', ' ,\n']))}]`);
  if (kind < 14)
    return jsonBody(
      random,
      random.pick(['', '{}', '[]', '[{}]', '[{},{}]', '5', 'null', '"x"', '[1]', '{', '\ufeff{}', '['.repeat(5000)]),
    );
  if (kind < 16) return csvBody(random, fields);
  if (kind < 18) return formBody(random, fields);
  if (kind < 19) return { headers: { 'Content-Type': random.pick(CONTENT_TYPES) }, body: row() };
  return {
    headers: { 'Content-Type': random.pick(['application/json', 'text/csv', 'text/plain']) },
    body: randomBytes(random),
  };
}

function jsonBody(random: Random, text: string): Body {
  const body = random.chance(0.05) ? breakText(random, text) : text;
  return { headers: random.chance(0.5) ? { 'Content-Type': 'application/json' } : {}, body };
}

function csvBody(random: Random, fields: readonly Field[]): Body {
  const line = (): string => fields.map((field) => quoteField(random, asText(valueOf(random, field)))).join(',');
  const lines = [fields.map(({ name }) => quoteField(random, name)).join(','), ...random.list(0, 3, line)];
  const text = lines.join(random.pick(['\n', '\r\n'])) + random.pick(['', '\n']);
  return { headers: { 'Content-Type': 'text/csv' }, body: random.chance(0.1) ? breakText(random, text) : text };
}

function quoteField(random: Random, text: string): string {
  return /[",\r\n]/u.test(text) || random.chance(0.2) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formBody(random: Random, fields: readonly Field[]): Body {
  const pairs = fields.map((field) => `${encode(field.name)}=${encode(asText(valueOf(random, field)))}`);
  return { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: pairs.join('&') };
}

function randomBytes(random: Random): Uint8Array {
  return Uint8Array.from(random.list(0, 40, () => random.roll(256)));
}

function valueOf(random: Random, { type, value }: Field): string {
  return value === undefined || random.chance(0.02) ? randomValue(random, type) : value;
}

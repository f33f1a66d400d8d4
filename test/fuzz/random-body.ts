// Fields × dice → a body of any kind that gives them values, mostly sound.
import type { Dice } from './dice.ts';
import type { Question } from './http-client.ts';
import { breakText, encode } from './random-request.ts';
import { asText, randomValue } from './write-values.ts';

export interface Field {
  readonly name: string;
  readonly type: string;
  /** The value it has to have, as JSON. */
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

export function randomBody(dice: Dice, fields: readonly Field[]): Body {
  const row = (): string => {
    const shown = dice.chance(0.05) ? fields.slice(1) : fields;
    return `{${shown.map((field) => `${JSON.stringify(field.name)}:${valueOf(dice, field)}`).join(',')}}`;
  };
  const kind = dice.roll(20);
  if (kind < 8) return jsonBody(dice, row());
  if (kind < 13) return jsonBody(dice, `[${dice.list(0, 3, row).join(dice.pick([',', ' ,\n']))}]`);
  if (kind < 14)
    return jsonBody(
      dice,
      dice.pick(['', '{}', '[]', '[{}]', '[{},{}]', '5', 'null', '"x"', '[1]', '{', '\ufeff{}', '['.repeat(5000)]),
    );
  if (kind < 16) return csvBody(dice, fields);
  if (kind < 18) return formBody(dice, fields);
  if (kind < 19) return { headers: { 'Content-Type': dice.pick(CONTENT_TYPES) }, body: row() };
  return {
    headers: { 'Content-Type': dice.pick(['application/json', 'text/csv', 'text/plain']) },
    body: randomBytes(dice),
  };
}

function jsonBody(dice: Dice, text: string): Body {
  const body = dice.chance(0.05) ? breakText(dice, text) : text;
  return { headers: dice.chance(0.5) ? { 'Content-Type': 'application/json' } : {}, body };
}

function csvBody(dice: Dice, fields: readonly Field[]): Body {
  const line = (): string => fields.map((field) => quoteField(dice, asText(valueOf(dice, field)))).join(',');
  const lines = [fields.map(({ name }) => quoteField(dice, name)).join(','), ...dice.list(0, 3, line)];
  const text = lines.join(dice.pick(['\n', '\r\n'])) + dice.pick(['', '\n']);
  return { headers: { 'Content-Type': 'text/csv' }, body: dice.chance(0.1) ? breakText(dice, text) : text };
}

function quoteField(dice: Dice, text: string): string {
  return /[",\r\n]/u.test(text) || dice.chance(0.2) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formBody(dice: Dice, fields: readonly Field[]): Body {
  const pairs = fields.map((field) => `${encode(field.name)}=${encode(asText(valueOf(dice, field)))}`);
  return { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: pairs.join('&') };
}

function randomBytes(dice: Dice): Uint8Array {
  return Uint8Array.from(dice.list(0, 40, () => dice.roll(256)));
}

function valueOf(dice: Dice, { type, value }: Field): string {
  return value === undefined || dice.chance(0.02) ? randomValue(dice, type) : value;
}

// Generates random JSON values of a column type, mostly valid, for bodies, arguments and CSV fields.
import type { Random } from './random.ts';

const INTEGERS = ['0', '1', '2', '3', '-1', '7', '"5"'];
const NUMBERS = ['0', '1.5', '-2.25', '1e3', '"7.125"', '123456789012345678901234567890.5'];
const TEXTS = [
  '"A-1"',
  '"new"',
  '"a"',
  '""',
  '"größe"',
  '"it\'s"',
  '"say \\"x\\""',
  '"back\\\\slash"',
  '"\\ud83d\\ude80"',
  '"NULL"',
  '"line\\nbreak"',
  '"#0000ff"',
  '"$1"',
];
const DOCUMENTS = ['{}', '{"a":null,"b":[1,{"c":2}]}', '[]', '[1,"x",null]', '"text"', '42', '{"a":1,"a":2}', '{"":0}'];
const ARRAYS = ['[]', '[1,2]', '["1",null]', '"{1,2}"', '[[1],[2]]'];
const ROWS = ['{"w":1,"h":2}', '"(3,4)"', '{}', '{"w":null}'];
const DATES = ['"2020-05-05"', '"2021-06-01T10:00:00Z"', '"2020-02-30"', '"infinity"', '"now"'];
const JUNK = [
  'null',
  'true',
  '{"a":{"b":[]}}',
  '[]',
  '"abc"',
  '1e400',
  '-0',
  '99999999999999999999',
  '"\\u0000"',
  '"\\ud800"',
  '"' + 'x'.repeat(300) + '"',
  '[[[[[[[[1]]]]]]]]',
];

export function randomValue(random: Random, type: string): string {
  if (random.chance(0.06)) return random.pick(JUNK);
  if (random.chance(0.08)) return 'null';
  return random.pick(valuesOf(type));
}

function valuesOf(type: string): readonly string[] {
  if (type.endsWith('[]')) return ARRAYS;
  if (/json/u.test(type)) return DOCUMENTS;
  if (/int|serial|cents|hue/u.test(type)) return INTEGERS;
  if (/numeric|double|real/u.test(type)) return NUMBERS;
  if (/date|time/u.test(type)) return DATES;
  if (/bit/u.test(type)) return ['"0101"', '"1"', '"01011"', '5'];
  if (/size/u.test(type)) return ROWS;
  return TEXTS;
}

/** Returns a string without its quotes and escapes, and any other value as written. */
export function asText(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)).replaceAll(/\p{Surrogate}/gu, '\ufffd') : json;
}

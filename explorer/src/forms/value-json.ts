// Converts between the text of an input and a JSON value. Preserves the digits of numbers and the order of keys.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { type JsonValue, parseJson } from '../rows/json-value.ts';
import { type FieldValue, NULL, textValue } from './field-value.ts';
import type { FormInput } from './form-input.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
/** Numbers that PostgreSQL accepts but JSON does not. */
const OTHER_NUMBER = /^(?:nan|[+-]?infinity|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/iu;

/** @returns JSON text, or a message for the user */
export function toJson(text: string, type: DescribedType, input: FormInput): Result<string, string> {
  switch (input.kind) {
    case 'number':
      return numberToJson(text.trim(), type);
    case 'json':
      return parseJson(text) === undefined ? fail('This is not valid JSON.') : ok(text.trim());
    case 'lines':
      return linesToJson(text, type);
    case 'choice':
      if (type.category === 'boolean') return ok(text);
      return ok(JSON.stringify(text));
    case 'date':
    case 'time':
    case 'timestamp':
    case 'zonedTimestamp':
      return text.trim() === '' ? fail('A value is required.') : ok(JSON.stringify(text));
    case 'line':
    case 'paragraph':
      return ok(JSON.stringify(text));
  }
}

function numberToJson(text: string, { name }: DescribedType): Result<string, string> {
  if (JSON_NUMBER.test(text)) return ok(text);
  if (OTHER_NUMBER.test(text) || (name === 'money' && text !== '')) return ok(JSON.stringify(text));
  return fail(text === '' ? 'A number is required.' : 'This is not a number.');
}

function linesToJson(text: string, type: DescribedType): Result<string, string> {
  const element: DescribedType = { ...type, isArray: false };
  const elements: string[] = [];
  for (const one of text === '' ? [] : text.split('\n')) {
    const value = type.category === 'number' ? numberToJson(one.trim(), element) : booleanOrText(one, element);
    if (!value.ok) return fail(`${value.error} Enter one element per line.`);
    elements.push(value.value);
  }
  return ok(`[${elements.join(', ')}]`);
}

function booleanOrText(text: string, { category }: DescribedType): Result<string, string> {
  if (category !== 'boolean') return ok(JSON.stringify(text));
  return text === 'true' || text === 'false' ? ok(text) : fail('Enter true or false.');
}

/** Returns the value of the input for an existing value. */
export function fromJson(value: JsonValue, input: FormInput): FieldValue {
  if (value.kind === 'null') return NULL;
  if (input.kind === 'json') return textValue(printJson(value));
  if (input.kind === 'lines' && value.kind === 'array') return textValue(value.items.map(plainText).join('\n'));
  return textValue(plainText(value));
}

function plainText(value: JsonValue): string {
  return value.kind === 'string' ? value.value : printJson(value);
}

export function printJson(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `;
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.value);
    case 'number':
    case 'deep':
      return value.text;
    case 'string':
      return JSON.stringify(value.value);
    case 'array':
      if (value.items.every(({ kind }) => kind !== 'array' && kind !== 'object'))
        return `[${value.items.map((item) => printJson(item)).join(', ')}]`;
      return wrap(
        '[]',
        value.items.map((item) => printJson(item, inner)),
        indent,
      );
    case 'object':
      return wrap(
        '{}',
        value.entries.map(([key, item]) => `${JSON.stringify(key)}: ${printJson(item, inner)}`),
        indent,
      );
  }
}

/** Wraps members in brackets, one per line. */
export function wrap(brackets: '[]' | '{}', members: readonly string[], indent = ''): string {
  const [open = '', close = ''] = brackets;
  if (members.length === 0) return brackets;
  return `${open}\n${members.map((member) => `${indent}  ${member}`).join(',\n')}\n${indent}${close}`;
}

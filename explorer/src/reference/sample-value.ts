// Values for examples: those of the first row, or plausible ones of the type.
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';

const BY_CATEGORY: Readonly<Record<TypeCategory, JsonValue>> = {
  number: { kind: 'number', text: '1' },
  text: { kind: 'string', value: 'text' },
  boolean: { kind: 'boolean', value: true },
  date: { kind: 'string', value: '2026-01-31' },
  time: { kind: 'string', value: '12:30:00' },
  timestamp: { kind: 'string', value: '2026-01-31T12:30:00Z' },
  interval: { kind: 'string', value: '1 day' },
  uuid: { kind: 'string', value: '00000000-0000-4000-8000-000000000000' },
  json: { kind: 'object', entries: [] },
  enum: { kind: 'string', value: '' },
  range: { kind: 'string', value: 'empty' },
  binary: { kind: 'string', value: String.raw`\x00` },
  fullText: { kind: 'string', value: 'word' },
  geometry: { kind: 'string', value: '(1,2)' },
  composite: { kind: 'object', entries: [] },
  other: { kind: 'string', value: 'text' },
};

export function sampleOf(type: DescribedType): JsonValue {
  const [label] = type.labels ?? [];
  const one: JsonValue = label === undefined ? BY_CATEGORY[type.category] : { kind: 'string', value: label };
  return type.isArray ? { kind: 'array', items: [one] } : one;
}

/** @param row the first row, if the role can read it */
export function valueFor(
  { name, type }: { readonly name: string; readonly type: DescribedType },
  row: JsonObject | undefined,
): JsonValue {
  const value = row?.entries.find(([key]) => key === name)?.[1];
  return value === undefined || value.kind === 'null' ? sampleOf(type) : value;
}

/** Returns the text of a value in a URL or an input. */
export function textOfValue(value: JsonValue): string {
  switch (value.kind) {
    case 'string':
      return value.value;
    case 'boolean':
      return String(value.value);
    case 'number':
    case 'deep':
      return value.text;
    case 'array':
      return value.items.map(textOfValue).join('\n');
    case 'object':
    case 'null':
      return '{}';
  }
}

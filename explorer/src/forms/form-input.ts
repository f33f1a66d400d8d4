// Chooses the input for values of a type, considering the current value.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import type { JsonValue } from '../rows/json-value.ts';

export type FormInput =
  /** `paragraph` allows line breaks. */
  | { readonly kind: 'line' | 'paragraph'; readonly placeholder: string }
  | { readonly kind: 'number' | 'date' | 'time' | 'timestamp' | 'zonedTimestamp' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'json'; readonly placeholder: string }
  /** An array with one element per line. */
  | { readonly kind: 'lines' };

export function formInputFor(type: DescribedType, present?: JsonValue): FormInput {
  if (!type.isArray) return scalarInputFor(type);
  const isStructured = type.category === 'json' || type.category === 'composite';
  return isStructured || !fitsLines(present) ? { kind: 'json', placeholder: '[]' } : { kind: 'lines' };
}

/** Returns false for arrays with nulls, nested arrays or line breaks, which lines cannot represent. */
function fitsLines(value: JsonValue | undefined): boolean {
  if (value === undefined || value.kind !== 'array') return true;
  return value.items.every((item) => {
    if (item.kind === 'string') return item.value !== '' && !/[\r\n]/u.test(item.value);
    return item.kind === 'number' || item.kind === 'boolean';
  });
}

function scalarInputFor({ name, category, labels }: DescribedType): FormInput {
  switch (category) {
    case 'number':
    case 'date':
      return { kind: category };
    case 'time':
      return name.endsWith('with time zone') ? line('12:30+01:00') : { kind: 'time' };
    case 'timestamp':
      return { kind: name.endsWith('with time zone') ? 'zonedTimestamp' : 'timestamp' };
    case 'boolean':
      return { kind: 'choice', values: ['true', 'false'] };
    case 'enum':
      return labels === undefined ? line('') : { kind: 'choice', values: labels };
    case 'json':
      return { kind: 'json', placeholder: '{"key": "value"}' };
    case 'composite':
      return { kind: 'json', placeholder: '{"field": "value"}' };
    case 'range':
      return line('[1,10)');
    case 'interval':
      return line('3 days 04:00');
    case 'uuid':
      return line('00000000-0000-0000-0000-000000000000');
    case 'binary':
      return line(String.raw`\x68656c6c6f`);
    case 'geometry':
      return line('SRID=4326;POINT(13.4 52.5)');
    case 'text':
      return name === 'text' ? { kind: 'paragraph', placeholder: '' } : line('');
    case 'fullText':
    case 'other':
      return line('');
  }
}

function line(placeholder: string): FormInput {
  return { kind: 'line', placeholder };
}

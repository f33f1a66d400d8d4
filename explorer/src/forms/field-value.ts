// The value that a form holds for a column or parameter.

export type FieldValue =
  /** Omitted from the request: an insert uses the default, an update keeps the current value. */
  | { readonly kind: 'unset' }
  | { readonly kind: 'null' }
  /** The text of the input. */
  | { readonly kind: 'text'; readonly text: string };

/** Values by name; a missing name is unset. */
export type FieldValues = ReadonlyMap<string, FieldValue>;

export const UNSET: FieldValue = { kind: 'unset' };
export const NULL: FieldValue = { kind: 'null' };

export function textValue(text: string): FieldValue {
  return { kind: 'text', text };
}

export function valueOf(values: FieldValues, name: string): FieldValue {
  return values.get(name) ?? UNSET;
}

export function isSameValue(one: FieldValue, other: FieldValue): boolean {
  if (one.kind === 'text' && other.kind === 'text') return one.text === other.text;
  return one.kind === other.kind;
}

// The value that a form holds for a column or parameter.

/** A change of the stored value in place. */
export type Operation = 'add' | 'append' | 'merge';

export type FieldValue =
  /** Omitted from the request: an insert uses the default, an update keeps the current value. */
  | { readonly kind: 'unset' }
  | { readonly kind: 'null' }
  /** Text entered to search the referenced row, of which none was chosen. */
  | { readonly kind: 'unmatched'; readonly text: string }
  /** The text of the input: a value, or the operand of an operation on the stored value. */
  | { readonly kind: 'text'; readonly text: string; readonly operation?: Operation | undefined };

/** Values by name; a missing name is unset. */
export type FieldValues = ReadonlyMap<string, FieldValue>;

export const UNSET: FieldValue = { kind: 'unset' };
export const NULL: FieldValue = { kind: 'null' };

export function textValue(text: string, operation?: Operation): FieldValue {
  return operation === undefined ? { kind: 'text', text } : { kind: 'text', text, operation };
}

export function operationOf(value: FieldValue): Operation | undefined {
  return value.kind === 'text' ? value.operation : undefined;
}

export function valueOf(values: FieldValues, name: string): FieldValue {
  return values.get(name) ?? UNSET;
}

export function isSameValue(one: FieldValue, other: FieldValue): boolean {
  if (one.kind === 'text' && other.kind === 'text') return one.text === other.text && one.operation === other.operation;
  if (one.kind === 'unmatched' && other.kind === 'unmatched') return one.text === other.text;
  return one.kind === other.kind;
}

// What a form holds for one column or parameter, before anything is sent.

export type FieldValue =
  /** Left out of the request: the default of an insert, the present value of a change. */
  | { readonly kind: 'unset' }
  | { readonly kind: 'null' }
  /** As it stands in the input. */
  | { readonly kind: 'text'; readonly text: string };

/** By name; a name that is missing is unset. */
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

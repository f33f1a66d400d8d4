// Parses an `application/x-www-form-urlencoded` body into its fields (`writing.md` §3.4).

export type FormFields = readonly (readonly [name: string, value: string])[];

const AMPERSAND = 0x26;

/** Counts the fields without parsing them. */
export function countFields(body: Uint8Array): number {
  let count = 1;
  for (const byte of body) if (byte === AMPERSAND) count += 1;
  return count;
}

/** Returns the fields in order, including repeated ones. A field without `=` has the value `''`. */
export function parseForm(body: Uint8Array): FormFields {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  // The leading empty field keeps a `?` at the start from being stripped as the mark of a query string.
  return [...new URLSearchParams(`&${text}`)];
}

// An `application/x-www-form-urlencoded` body to its fields (`writing.md` §3.4).

export type FormFields = readonly (readonly [name: string, value: string])[];

const AMPERSAND = 0x26;

/** Without looking at them. */
export function countFields(body: Uint8Array): number {
  let count = 1;
  for (const byte of body) if (byte === AMPERSAND) count += 1;
  return count;
}

/** In order, repeats kept. A field without `=` has the value `''`. */
export function parseForm(body: Uint8Array): FormFields {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  // The empty field in front keeps a leading `?` from being taken for the mark of a query string.
  return [...new URLSearchParams(`&${text}`)];
}

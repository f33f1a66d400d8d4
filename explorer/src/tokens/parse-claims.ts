// Reads the claims that a person enters to view the API as another role.
import { isJsonObject } from '../../../src/util/json-object.ts';
import type { Claims } from './decode-token.ts';

export type ParsedClaims =
  | { readonly kind: 'claims'; readonly claims: Claims }
  | { readonly kind: 'wrong'; readonly message: string };

/** @param text a JSON object; empty for none */
export function parseClaims(text: string): ParsedClaims {
  if (text.trim() === '') return { kind: 'claims', claims: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'wrong', message: 'This is not valid JSON.' };
  }
  return isJsonObject(value)
    ? { kind: 'claims', claims: value }
    : { kind: 'wrong', message: 'Claims are a JSON object, such as {"sub": "1"}.' };
}

// Reduces a request for live rows to the headers and claims that the database sees. Equal ones can share a read.
import type { HeaderList, HttpRequest } from '../../../contract/http.ts';
import { omitPreference } from '../../../request/preferences.ts';
import { memberName, splitMembers } from '../../../util/json-object.ts';

/** Headers that change the rows or their form. */
const DECIDING = ['accept', 'accept-profile', 'prefer', 'range'];

export interface SharingSettings {
  /** Names in lower case. */
  readonly headers: readonly string[];
  readonly ignoredClaims: readonly string[];
}

/** Returns the headers that live reads may see. */
export function showHeaders(headers: HeaderList, { headers: shown }: SharingSettings): HeaderList {
  return headers.filter(([name]) => shown.includes(name));
}

/** Removes the claims that do not separate clients. @param claims the text of a JSON object */
export function hideClaims(claims: string, { ignoredClaims }: SharingSettings): string {
  if (ignoredClaims.length === 0) return claims;
  const kept = splitMembers(claims).filter((member) => !ignoredClaims.includes(String(memberName(member))));
  return `{${kept.join(',')}}`;
}

/** @param shown headers from `showHeaders`, @param claims from `hideClaims` */
export function renderGroupKey(
  { path, rawQuery, headers, isLongQuery }: HttpRequest,
  { role, claims, shown }: { readonly role: string; readonly claims: string; readonly shown: HeaderList },
): string {
  // Streams with and without positions share a group.
  const known = omitPreference(headers, 'position');
  const deciding = DECIDING.map((name) => known.filter(([key]) => key === name).map(([, value]) => value));
  return JSON.stringify([role, claims, path, rawQuery, isLongQuery === true, deciding, shown]);
}

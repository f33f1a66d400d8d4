// Loads the key set of an identity provider, which its discovery document names if the configuration does not
// (`beyond.md` §3.3).
import { discoveryUri, keepingTime, parseDiscovery, parseIssuerKeys } from '../../../auth/issuer-documents.ts';
import type { VerificationKey } from '../../../auth/keys.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { importDescribedKey } from '../jwt-keys.ts';
import { fetchDocument } from './fetch-document.ts';

/** Where the keys of an issuer are published. */
export type KeySource =
  | { readonly kind: 'keySet'; readonly uri: string }
  | { readonly kind: 'discovery'; readonly issuer: string };

export interface LoadedKeys {
  readonly keys: readonly VerificationKey[];
  /** Seconds to keep them. */
  readonly lifetime: number;
}

/** The error is a sentence without a period. */
export async function loadIssuerKeys(source: KeySource, stop: AbortSignal): Promise<Result<LoadedKeys, string>> {
  const uri = source.kind === 'keySet' ? ok(source.uri) : await discover(source.issuer, stop);
  if (!uri.ok) return uri;
  const document = await fetchDocument(uri.value, stop);
  if (!document.ok) return fail(`The key set ${uri.value} ${document.error}`);
  const { text, cacheControl } = document.value;
  const described = parseIssuerKeys(text);
  if (!described.ok) return fail(`The key set ${uri.value} ${described.error}`);
  const keys = described.value.flatMap((description) => importDescribedKey(description) ?? []);
  if (keys.length === 0) return fail(`The key set ${uri.value} contains no key that can verify signatures`);
  return ok({ keys, lifetime: keepingTime(cacheControl) });
}

async function discover(issuer: string, stop: AbortSignal): Promise<Result<string, string>> {
  const uri = discoveryUri(issuer);
  if (uri === undefined) return fail(`The issuer ${issuer} is not a URL with https`);
  const document = await fetchDocument(uri, stop);
  const found = document.ok ? parseDiscovery(document.value.text, issuer) : document;
  return found.ok ? found : fail(`The document ${uri} ${found.error}`);
}

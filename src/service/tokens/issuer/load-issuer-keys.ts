// Loads the key set of an identity provider, which its discovery document names if the configuration does not, within
// one time limit (`beyond.md` §3.3).
import { discoveryUri, keepingTime, parseDiscovery, parseIssuerKeys } from '../../../auth/issuer-documents.ts';
import type { KeyDescription } from '../../../auth/jwk.ts';
import type { VerificationKey } from '../../../auth/keys.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { createPause } from '../../scheduling/create-pause.ts';
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

const TIMEOUT_MS = 5000;

/** The error is a sentence without a period. */
export async function loadIssuerKeys(source: KeySource, stop: AbortSignal): Promise<Result<LoadedKeys, string>> {
  // One controller that the timer and the listener hold: a signal that only others derive from can be collected.
  const limit = new AbortController();
  const end = (reason: string): void => limit.abort(reason);
  const timer = setTimeout(end, TIMEOUT_MS, `did not arrive within ${TIMEOUT_MS / 1000} seconds`);
  const onStop = (): void => end('is no longer needed');
  stop.addEventListener('abort', onStop);
  try {
    return await loadUntil(source, limit.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

async function loadUntil(source: KeySource, signal: AbortSignal): Promise<Result<LoadedKeys, string>> {
  const uri = source.kind === 'keySet' ? ok(source.uri) : await discover(source.issuer, signal);
  if (!uri.ok) return uri;
  const document = await fetchDocument(uri.value, signal);
  if (!document.ok) return fail(`The key set ${uri.value} ${document.error}`);
  const { text, cacheControl } = document.value;
  const described = parseIssuerKeys(text);
  if (!described.ok) return fail(`The key set ${uri.value} ${described.error}`);
  const keys = await importKeys(described.value);
  if (keys.length === 0) return fail(`The key set ${uri.value} contains no key that can verify signatures`);
  return ok({ keys, lifetime: keepingTime(cacheControl) });
}

/** Checking that a point is on its curve takes up to a millisecond per key. */
async function importKeys(descriptions: readonly KeyDescription[]): Promise<readonly VerificationKey[]> {
  const pause = createPause();
  const keys: VerificationKey[] = [];
  for (const description of descriptions) {
    const key = importDescribedKey(description);
    if (key !== undefined) keys.push(key);
    await pause();
  }
  return keys;
}

async function discover(issuer: string, signal: AbortSignal): Promise<Result<string, string>> {
  const uri = discoveryUri(issuer);
  if (uri === undefined) return fail(`The issuer ${issuer} is not a URL with https`);
  const document = await fetchDocument(uri, signal);
  const found = document.ok ? parseDiscovery(document.value.text, issuer) : document;
  return found.ok ? found : fail(`The document ${uri} ${found.error}`);
}

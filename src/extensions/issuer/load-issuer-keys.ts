// Loads the key set of an identity provider, which its discovery document names if the configuration does not, within
// one time limit (`beyond.md` §3.3).
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { discoveryUri, keepingTime, parseDiscovery, parseIssuerKeys } from './issuer-documents.ts';
import type { VerificationKey } from '../../auth/keys.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { createPause } from '../../service/scheduling/waiting.ts';
import { importDescribedKey } from '../../service/tokens/jwt-keys.ts';
import { isSecureUri } from '../../util/secure-uri.ts';

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
  // Checking that a point is on its curve takes up to a millisecond per key.
  const pause = createPause();
  const keys: VerificationKey[] = [];
  for (const description of described.value) {
    const key = importDescribedKey(description);
    if (key !== undefined) keys.push(key);
    await pause();
  }
  if (keys.length === 0) return fail(`The key set ${uri.value} contains no key that can verify signatures`);
  return ok({ keys, lifetime: keepingTime(cacheControl) });
}

async function discover(issuer: string, signal: AbortSignal): Promise<Result<string, string>> {
  const uri = discoveryUri(issuer);
  if (uri === undefined) return fail(`The issuer ${issuer} is not a URL with https`);
  const document = await fetchDocument(uri, signal);
  const found = document.ok ? parseDiscovery(document.value.text, issuer) : document;
  return found.ok ? found : fail(`The document ${uri} ${found.error}`);
}

interface FetchedDocument {
  readonly text: string;
  readonly cacheControl: string | undefined;
}

const MAX_BYTES = 262_144;
const MAX_REDIRECTS = 3;

/**
 * Fetches a document of an identity provider, with limits on size and redirects (`beyond.md` §3.3). Uses `node:http`,
 * whose requests end when their signal says so, also while a body arrives; `fetch` of Node 20 may lose the signal. The
 * error completes a sentence that begins with the document.
 *
 * @param signal its reason is such an error too
 */
export async function fetchDocument(uri: string, signal: AbortSignal): Promise<Result<FetchedDocument, string>> {
  try {
    const response = await follow(uri, signal);
    if (typeof response === 'string') return fail(response);
    const text = await readBody(response);
    return text === undefined
      ? fail(`is larger than ${MAX_BYTES / 1024} KiB`)
      : ok({ text, cacheControl: response.headers['cache-control'] });
  } catch (error) {
    if (signal.aborted) return fail(String(signal.reason));
    if (!(error instanceof Error)) throw error;
    return fail(`could not be fetched: ${error.message}`);
  }
}

/** Follows redirects to the same host. @returns the response, or why there is none */
async function follow(uri: string, signal: AbortSignal): Promise<IncomingMessage | string> {
  let place = uri;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await open(place, signal);
    const { statusCode: status = 0, headers } = response;
    if (status === 200) return response;
    response.destroy();
    const { location } = headers;
    if (status < 300 || status > 399 || location === undefined) return `was answered with status ${status}`;
    if (!URL.canParse(location, place)) return 'was redirected to no address';
    const next = new URL(location, place);
    if (next.host !== new URL(uri).host || !isSecureUri(next.href)) return 'was redirected to another host';
    place = next.href;
  }
  return `was redirected more than ${MAX_REDIRECTS} times`;
}

const HEADERS = { Accept: 'application/json', 'Accept-Encoding': 'identity' };

function open(uri: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = /^https:/iu.test(uri) ? https : http;
  return new Promise((resolve, reject) => {
    get(uri, { agent: false, headers: HEADERS, signal })
      .once('response', resolve)
      .on('error', reject)
      .once('close', () => reject(new Error('the connection was closed')));
  });
}

/** @returns undefined if the body is longer than `MAX_BYTES` */
async function readBody(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// Fetches a document of an identity provider, with limits on time, size and redirects (`beyond.md` §3.3).
import { fail, ok, type Result } from '../../../contract/result.ts';
import { isSecureUri } from '../../../util/secure-uri.ts';

export interface FetchedDocument {
  readonly text: string;
  readonly cacheControl: string | null;
}

const TIMEOUT_MS = 5000;
const MAX_BYTES = 262_144;
const MAX_REDIRECTS = 3;

/** The error completes a sentence that begins with the document. */
export async function fetchDocument(uri: string, stop: AbortSignal): Promise<Result<FetchedDocument, string>> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await follow(uri, signal);
    if (typeof response === 'string') return fail(response);
    const { headers, body } = response;
    const text = body === null ? '' : await readAtMost(body, MAX_BYTES);
    return text === undefined
      ? fail(`is larger than ${MAX_BYTES / 1024} KiB`)
      : ok({ text, cacheControl: headers.get('cache-control') });
  } catch (error) {
    return fail(describe(error));
  }
}

/** Follows redirects to the same host. @returns the response, or why there is none */
async function follow(uri: string, signal: AbortSignal): Promise<Response | string> {
  let place = uri;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(place, { signal, redirect: 'manual', headers: { Accept: 'application/json' } });
    const location = response.headers.get('location');
    if (response.status === 200) return response;
    await response.body?.cancel();
    if (response.status < 300 || response.status > 399 || location === null)
      return `was answered with status ${response.status}`;
    if (!URL.canParse(location, place)) return 'was redirected to no address';
    const next = new URL(location, place);
    if (next.host !== new URL(uri).host || !isSecureUri(next.href)) return 'was redirected to another host';
    place = next.href;
  }
  return `was redirected more than ${MAX_REDIRECTS} times`;
}

/** @returns undefined if the body is longer */
async function readAtMost(body: ReadableStream<Uint8Array>, maximum: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > maximum) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'TimeoutError') return `did not arrive within ${TIMEOUT_MS / 1000} seconds`;
  // `fetch` wraps the error of the connection.
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return `could not be fetched: ${reason}`;
}

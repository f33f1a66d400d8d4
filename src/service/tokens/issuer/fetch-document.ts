// Fetches a document of an identity provider, with limits on size and redirects (`beyond.md` §3.3). Uses `node:http`,
// whose requests end when their signal says so, also while a body arrives; `fetch` of Node 20 may lose the signal.
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { isSecureUri } from '../../../util/secure-uri.ts';

export interface FetchedDocument {
  readonly text: string;
  readonly cacheControl: string | undefined;
}

const MAX_BYTES = 262_144;
const MAX_REDIRECTS = 3;

/** The error completes a sentence that begins with the document. @param signal its reason is such an error too */
export async function fetchDocument(uri: string, signal: AbortSignal): Promise<Result<FetchedDocument, string>> {
  try {
    const response = await follow(uri, signal);
    if (typeof response === 'string') return fail(response);
    const text = await readAtMost(response, MAX_BYTES);
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

/** @returns undefined if the body is longer */
async function readAtMost(body: AsyncIterable<Buffer>, maximum: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > maximum) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

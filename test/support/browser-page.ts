// The headers of a browser that loads a page, and those of the explorer's pages.
import { expect } from 'vitest';

export const BROWSER: Readonly<Record<string, string>> = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};

export const EXPLORER_POLICY: string =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns the headers of a response with the page, apart from its date and ETag. */
export function explorerHeaders(page: string): Readonly<Record<string, unknown>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Encoding',
    'content-security-policy': EXPLORER_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    server: expect.stringMatching(/^rowhouse\/\d/u) as string,
    'content-length': String(Buffer.byteLength(page)),
    connection: 'close',
  };
}

// What came of the requests for the schema and for the rows → what stands in the way, if it concerns the whole page.
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import { decodeToken, validityOf } from '../tokens/decode-token.ts';
import type { Loaded } from '../store/store.ts';

export type Trouble =
  | { readonly kind: 'gone' }
  | RightsTrouble
  | { readonly kind: 'unknownSchema'; readonly message: string }
  | { readonly kind: 'noDescription'; readonly status: number; readonly message: string };

interface RightsTrouble {
  readonly kind: 'expired' | 'refused' | 'needsToken' | 'forbidden';
  /** The server's own words; may be empty. */
  readonly message: string;
}

export interface Circumstances {
  readonly schema: Loaded<unknown>;
  readonly exchange: Exchange | undefined;
  readonly token: string | undefined;
  readonly nowSeconds: number;
}

export function findTrouble({ schema, exchange, token, nowSeconds }: Circumstances): Trouble | undefined {
  const failed = schema.kind === 'failed' ? schema.exchange : undefined;
  if (failed?.kind === 'failed' && failed.reason === 'network') return { kind: 'gone' };
  if (failed?.kind === 'answered') {
    return troubleOfRights(failed.response, token, nowSeconds) ?? troubleOfDescription(failed.response);
  }
  const rights = exchange?.kind === 'answered' ? troubleOfRights(exchange.response, token, nowSeconds) : undefined;
  // What the server said of the request stands with its answer.
  return rights && { ...rights, message: '' };
}

function troubleOfRights(
  response: ReceivedResponse,
  token: string | undefined,
  now: number,
): RightsTrouble | undefined {
  // Any other answer may be long, and is not read here.
  if (response.status !== 401 && response.status !== 403) return undefined;
  const message = messageOf(response);
  if (response.status === 401 && token !== undefined) {
    return { kind: isExpired(token, now) ? 'expired' : 'refused', message };
  }
  return { kind: response.status === 401 ? 'needsToken' : 'forbidden', message };
}

function troubleOfDescription(response: ReceivedResponse): Trouble {
  const message = messageOf(response);
  return response.status === 406
    ? { kind: 'unknownSchema', message }
    : { kind: 'noDescription', status: response.status, message };
}

function isExpired(token: string, now: number): boolean {
  const decoded = decodeToken(token);
  return decoded.kind === 'token' && validityOf(decoded.claims, now).kind === 'expired';
}

/** The server's own words. */
function messageOf({ text }: ReceivedResponse): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string')
      return body.message;
  } catch {
    // No JSON: something else than the server has answered.
  }
  return '';
}

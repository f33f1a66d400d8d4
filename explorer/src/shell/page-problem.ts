// Detects problems that affect the whole page from the requests for the schema and for the rows.
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import { readServerError, type ServerError } from '../client/server-error.ts';
import { decodeToken, validityOf } from '../tokens/decode-token.ts';
import type { Loaded } from '../store/store.ts';

export type PageProblemKind =
  | 'unreachable'
  | 'expired'
  | 'refused'
  | 'needsToken'
  | 'forbidden'
  | 'unknownSchema'
  | 'noDescription'
  | 'linkRefused';

export interface PageProblem {
  readonly kind: PageProblemKind;
  /** The error of the server; undefined without a response. */
  readonly error: ServerError | undefined;
}

export interface AssessmentInput {
  readonly schema: Loaded<unknown>;
  readonly exchange: Exchange | undefined;
  readonly token: string | undefined;
  readonly nowSeconds: number;
  /** Whether the server does not know the key of the link that was opened. */
  readonly isLinkRefused: boolean;
}

export function findPageProblem(input: AssessmentInput): PageProblem | undefined {
  const { schema, exchange, token, nowSeconds } = input;
  const failed = schema.kind === 'failed' ? schema.exchange : undefined;
  if (failed?.kind === 'failed' && failed.reason === 'network') return { kind: 'unreachable', error: undefined };
  if (failed?.kind === 'answered') {
    return findAccessProblem(failed.response, token, nowSeconds) ?? describeSchemaProblem(failed.response);
  }
  if (input.isLinkRefused) return { kind: 'linkRefused', error: undefined };
  return exchange?.kind === 'answered' ? findAccessProblem(exchange.response, token, nowSeconds) : undefined;
}

function findAccessProblem({ status, text }: ReceivedResponse, token: string | undefined, now: number) {
  const kind = accessProblemKind(status, token, now);
  // Other responses can be long, so only known problems are parsed.
  return kind && { kind, error: readServerError(text) };
}

function accessProblemKind(status: number, token: string | undefined, now: number): PageProblemKind | undefined {
  if (status === 403) return 'forbidden';
  if (status !== 401) return undefined;
  if (token === undefined) return 'needsToken';
  return isExpired(token, now) ? 'expired' : 'refused';
}

function describeSchemaProblem({ status, text }: ReceivedResponse): PageProblem {
  const error = readServerError(text);
  if (status === 406) return { kind: 'unknownSchema', error };
  return {
    kind: 'noDescription',
    error: { ...error, message: error.message ?? `The server returned status ${status}.` },
  };
}

function isExpired(token: string, now: number): boolean {
  const decoded = decodeToken(token);
  return decoded.kind === 'token' && validityOf(decoded.claims, now).kind === 'expired';
}

// Chooses which recorded requests to send: each once, and changes of data only if they were asked for.
import { allHeaders, type HeaderList } from '../../../src/contract/http.ts';
import type { RecordedRequest } from './recorded-request.ts';

export interface Choice {
  readonly reads: readonly RecordedRequest[];
  readonly writes: readonly RecordedRequest[];
  /** Requests left out because they may change data. */
  readonly skippedWrites: number;
}

/** POST to a function counts as a write: only the database knows what the function does. */
function isRead({ method }: RecordedRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

export function chooseRequests(requests: readonly RecordedRequest[], hasWrites: boolean): Choice {
  const distinct = [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
  const reads = distinct.filter(isRead);
  const writes = distinct.filter((request) => !isRead(request));
  return { reads, writes: hasWrites ? writes : [], skippedWrites: hasWrites ? 0 : writes.length };
}

/** Adds the token to a request that carries none. */
export function withToken(request: RecordedRequest, token: string | undefined): RecordedRequest {
  if (token === undefined || allHeaders(request.headers, 'authorization').length > 0) return request;
  return { ...request, headers: [...request.headers, ['authorization', `Bearer ${token}`]] };
}

/** Asks for a rollback instead of what the request asked for. */
export function withRollback(request: RecordedRequest): RecordedRequest {
  const items = allHeaders(request.headers, 'prefer').flatMap((value) => value.split(','));
  const kept = items.map((item) => item.trim()).filter((item) => item !== '' && !item.startsWith('tx='));
  const others: HeaderList = request.headers.filter(([name]) => name !== 'prefer');
  return { ...request, headers: [...others, ['prefer', ['tx=rollback', ...kept].join(', ')]] };
}

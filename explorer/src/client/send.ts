// Sends a request with `fetch` and returns the exchange. Never throws: a network failure or a cancelled request is an
// outcome too.
import type { ApiAccess } from './api-access.ts';
import type { Exchange, OutgoingRequest } from './exchange.ts';
import { headersOf, headerText } from './headers.ts';

export async function send(access: ApiAccess, request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(new URL(`.${request.url}`, access.base), {
      method: request.method,
      headers: headersOf(access, request).map(([name, value]) => [name, headerText(value)]),
      cache: 'no-store',
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const content = await answer.blob();
    const response = {
      status: answer.status,
      headers: [...answer.headers],
      text: await content.text(),
      content,
      bytes: content.size,
      milliseconds: performance.now() - startedAt,
    };
    return { kind: 'answered', request, response };
  } catch {
    return { kind: 'failed', request, reason: signal?.aborted === true ? 'cancelled' : 'network' };
  }
}

// Sends SQL to the console of the server.
import { CONSOLE_KEY_HEADER, CONSOLE_URL, type ConsoleOutcome, type ConsoleRequest } from '../client/console.ts';
import { readServerError } from '../client/server-error.ts';
import type { Store } from '../store/store.ts';

export async function sendRun(store: Store, run: ConsoleRequest, abort?: AbortSignal): Promise<ConsoleOutcome> {
  const headers = [
    ['Content-Type', 'application/json'],
    [CONSOLE_KEY_HEADER, store.signingKey.peek() ?? ''],
  ] as const;
  const request = { method: 'POST', url: CONSOLE_URL, headers, body: JSON.stringify(run) } as const;
  const exchange = await store.send(request, abort);
  if (exchange.kind !== 'answered') {
    const isCancelled = exchange.kind === 'failed' && exchange.reason === 'cancelled';
    return { kind: 'refused', message: isCancelled ? 'The run was cancelled.' : 'The server does not respond.' };
  }
  const { status, text } = exchange.response;
  if (status === 200) {
    const outcome: ConsoleOutcome = JSON.parse(text);
    return outcome;
  }
  if (status === 404) return { kind: 'refused', message: WRONG_KEY };
  return { kind: 'refused', message: readServerError(text).message ?? text.slice(0, 500) };
}

const WRONG_KEY = 'This tab does not have the key of the server. Open the link that rowhouse dev prints.';

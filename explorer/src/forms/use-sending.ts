// Hook that sends the request of a form, or runs it as a dry run, and tracks its state.
import { useRef, useState } from 'preact/hooks';
import type { OutgoingRequest, ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { findError, type FormError } from './form-error.ts';
import { dryRunOf } from './row-requests.ts';

export type SendingState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly isDryRun: boolean }
  /** The dry run succeeded. */
  | { readonly kind: 'dryRunSucceeded'; readonly response: ReceivedResponse }
  | { readonly kind: 'failed'; readonly error: FormError };

export interface Sending {
  readonly state: SendingState;
  readonly send: (request: OutgoingRequest) => void;
  readonly dryRun: (request: OutgoingRequest) => void;
  /** Clears the outcome, because the form has changed since. */
  readonly forget: () => void;
}

/** @param onDone called with the response, except after a dry run */
export function useSending(
  store: Store,
  onDone: (response: ReceivedResponse, request: OutgoingRequest) => void,
): Sending {
  const [state, setState] = useState<SendingState>({ kind: 'idle' });
  const isUnderWay = useRef(false);
  const start = async (request: OutgoingRequest, isDryRun: boolean): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ kind: 'sending', isDryRun });
    const exchange = await store.send(isDryRun ? dryRunOf(request) : request);
    isUnderWay.current = false;
    const error = findError(exchange);
    if (error !== undefined) return setState({ kind: 'failed', error });
    if (exchange.kind !== 'answered') return undefined;
    if (isDryRun) return setState({ kind: 'dryRunSucceeded', response: exchange.response });
    setState({ kind: 'idle' });
    return onDone(exchange.response, request);
  };
  return {
    state,
    send: (request) => void start(request, false),
    dryRun: (request) => void start(request, true),
    forget: () => {
      if (state.kind === 'failed' || state.kind === 'dryRunSucceeded') setState({ kind: 'idle' });
    },
  };
}

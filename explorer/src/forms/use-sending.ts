// The sending of a form's request, and its rehearsal: what is under way, what came of it.
import { useRef, useState } from 'preact/hooks';
import type { OutgoingRequest, ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { findError, type FormError } from './form-error.ts';
import { rehearsalOf } from './row-requests.ts';

export type SendingState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly isRehearsal: boolean }
  /** It would work; nothing was kept. */
  | { readonly kind: 'rehearsed'; readonly response: ReceivedResponse }
  | { readonly kind: 'failed'; readonly error: FormError };

export interface Sending {
  readonly state: SendingState;
  readonly send: (request: OutgoingRequest) => void;
  readonly rehearse: (request: OutgoingRequest) => void;
  /** What came of it is no longer about what the form holds. */
  readonly forget: () => void;
}

/** @param onDone with the answer to a request that was not rehearsed */
export function useSending(
  store: Store,
  onDone: (response: ReceivedResponse, request: OutgoingRequest) => void,
): Sending {
  const [state, setState] = useState<SendingState>({ kind: 'idle' });
  const isUnderWay = useRef(false);
  const start = async (request: OutgoingRequest, isRehearsal: boolean): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ kind: 'sending', isRehearsal });
    const exchange = await store.send(isRehearsal ? rehearsalOf(request) : request);
    isUnderWay.current = false;
    const error = findError(exchange);
    if (error !== undefined) return setState({ kind: 'failed', error });
    if (exchange.kind !== 'answered') return undefined;
    if (isRehearsal) return setState({ kind: 'rehearsed', response: exchange.response });
    setState({ kind: 'idle' });
    return onDone(exchange.response, request);
  };
  return {
    state,
    send: (request) => void start(request, false),
    rehearse: (request) => void start(request, true),
    forget: () => {
      if (state.kind === 'failed' || state.kind === 'rehearsed') setState({ kind: 'idle' });
    },
  };
}

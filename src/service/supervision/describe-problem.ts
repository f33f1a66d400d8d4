// Why the service is not ready → a sentence for the operator.
import type { RenderedError } from '../../errors/render-error.ts';

/** @param failure undefined: no attempt has ended yet */
export function describeLoad(failure: RenderedError | undefined): string {
  if (failure === undefined) return 'The schema cache is being loaded for the first time.';
  const { message, details } = failure;
  const cause = typeof details === 'string' && details !== '' ? `${message} ${details}` : message;
  return `The schema cache could not be loaded: ${cause}`;
}

/** @param reason undefined: the connection is being opened */
export function describeListening(channel: string, reason: string | undefined): string {
  const cause = reason === undefined ? 'the connection is being opened' : reason;
  return `The listener is not connected to the channel "${channel}": ${cause}`;
}

/** @param failure of a query that asks for nothing */
export function describeSilence({ message }: RenderedError): string {
  return `The database does not answer: ${message}`;
}

// Describes for the operator why the service is not ready.
import type { RenderedError } from '../../errors/render-error.ts';

/** @param failure undefined if no attempt has ended yet */
export function describeLoad(failure: RenderedError | undefined): string {
  if (failure === undefined) return 'The schema cache is being loaded for the first time.';
  const { message, details } = failure;
  const cause = typeof details === 'string' && details !== '' ? `${message} ${details}` : message;
  return `The schema cache could not be loaded: ${cause}`;
}

/** @param reason undefined while the connection is being opened */
export function describeListening(channel: string, reason: string | undefined): string {
  const cause = reason === undefined ? 'the connection is being opened' : reason;
  return `The listener is not connected to the channel "${channel}": ${cause}`;
}

/** @param failure of the query that checks the connection */
export function describeUnreachable({ message }: RenderedError): string {
  return `The database does not respond: ${message}`;
}

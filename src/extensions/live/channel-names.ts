// Reads the names of channels from the result of a function, and rejects names that LISTEN does not accept.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** PostgreSQL truncates longer identifiers, and `pg_notify` refuses them. */
const MAX_BYTES = 63;

/**
 * @param body a JSON array of names, or one name
 * @param ownChannel channel of the service itself, which clients may not listen to
 */
export function readChannels(body: Uint8Array, ownChannel: string): Result<readonly string[], ApiError> {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = [...new Set(values.filter((name) => typeof name === 'string'))];
  const reason = names.map((name) => findFault(name, ownChannel)).find((fault) => fault !== undefined);
  return reason === undefined ? ok(names) : fail({ kind: 'channelRefused', reason });
}

function findFault(name: string, ownChannel: string): string | undefined {
  if (name === ownChannel) return 'The server itself uses this channel';
  if (name === '' || new TextEncoder().encode(name).length > MAX_BYTES)
    return `The name of a channel has 1 to ${MAX_BYTES} bytes`;
  // A line break would end the field of the event that carries the name.
  return /[\0-\x1f\x7f]/u.test(name) ? 'The name of a channel contains no control characters' : undefined;
}

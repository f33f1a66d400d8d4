// Errors that a body of any format can cause.
import type { ApiError, TextPlace } from '../../errors/api-error.ts';
import { MAX_NAME_BYTES } from './payload.ts';

export const NAME_TOO_LONG: ApiError = {
  kind: 'limitExceeded',
  limit: `names in a body have up to ${MAX_NAME_BYTES} bytes`,
  status: 400,
};

/** @param line the offending line, if the limit applies to each line */
export function tooDeep(maxDepth: number, line?: number): ApiError {
  const limit = `arrays and objects of a body nest up to ${maxDepth} levels deep`;
  const described = line === undefined ? limit : `${limit}; line ${line} exceeds this`;
  return { kind: 'limitExceeded', limit: described, option: 'server-max-json-depth', status: 400 };
}

/** @param place where the text stops being valid JSON, if known */
export function lineFault(line: number, message: string, place?: TextPlace): ApiError {
  return { kind: 'invalidBody', message: `Line ${line}: ${message}`, place };
}

export function rowTooLong(maxSize: number): ApiError {
  const limit = `In a body that is inserted while it arrives, each row has up to ${maxSize} bytes`;
  return { kind: 'limitExceeded', limit, option: 'server-max-body-size', status: 413 };
}

export function bodyTooSlow(seconds: number): ApiError {
  const limit = `Request bodies have ${seconds} seconds plus one second per kilobyte to arrive`;
  return { kind: 'limitExceeded', limit, option: 'server-body-timeout', status: 408 };
}

/** The client may disconnect in the middle of its body. */
export const BODY_CUT: ApiError = {
  kind: 'invalidBody',
  message: 'The request body ended before it was complete',
};

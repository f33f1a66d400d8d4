// Describes a database error in one sentence for the user of a command.
import type { Dialect } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { describeError } from '../../src/errors/render-error.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';

export function describeFailure(error: ApiError, dialect: Dialect): string {
  const context = { dialect, isAnonymous: false, product: PRODUCT, verbosity: 'verbose', retryAfter: 0 } as const;
  const { message, details } = describeError(error, context);
  // Messages of PostgreSQL contain names.
  return escapeLine(typeof details === 'string' ? `${message.replace(/\.$/u, '')}: ${details}` : message);
}

// Finds the hint that shows the client what to write instead, from the error alone.
import type { ServiceError, ServiceErrorKind, ServiceErrors } from './api-error.ts';
import { findQueryHint } from './query-hints.ts';

type Hints = { readonly [K in ServiceErrorKind]?: (error: ServiceErrors[K]) => string | undefined };

const HINTS: Hints = {
  queryParse: findQueryHint,
  invalidPath: ({ path }) => findPathHint(path),
  invalidBody: ({ place }) => place && `The JSON goes wrong at line ${place.line}, column ${place.column}`,
  tokenInvalid: ({ isSignatureWrong }) =>
    isSignatureWrong && 'The signature is wrong: the token was signed with another secret or key',
  aggregatesDisabled: () => 'The operator allows aggregate functions with db-aggregates-enabled',
  relationshipNotFound: ({ between, target }) =>
    between && `There is no direct relationship. Embed through '${between}': select=${between}(${target}(*))`,
  columnNotFound: ({ column, suggestion }) =>
    findJsonAsFormHint([column]) ?? (suggestion && `Perhaps you meant the column '${suggestion}'`),
  routineNotFound: ({ search }) => (search.kind === 'arguments' ? findJsonAsFormHint(search.names) : undefined),
};

/** @returns `undefined` if no hint would help */
export function findUsageHint<K extends ServiceErrorKind>(error: ServiceError<K>): string | undefined {
  const find: Hints[K] = HINTS[error.kind];
  return find?.(error);
}

/** Names in a path are repeated only if they are plain. */
const PLAIN_PATH = /^\/(?<name>[\w-]{1,63})(?:\/(?<key>[\w-]{0,63}))?\/?$/u;

function findPathHint(path: string): string | undefined {
  if (path.startsWith('/rpc/')) return /^\/rpc\/[\w-]{1,63}\/$/u.test(path) ? `write ${path.slice(0, -1)}` : undefined;
  const { name, key } = PLAIN_PATH.exec(path)?.groups ?? {};
  if (name === undefined) return undefined;
  if (key === undefined || key === '') return `write /${name}, without the slash at the end`;
  return `To get one row, filter by its key: write /${name}?id=eq.${key} if the key is called id`;
}

/** The default Content-Type of curl and others makes a JSON text the name of a form field. */
function findJsonAsFormHint(names: readonly string[]): string | undefined {
  const isJson = names.some((name) => /^\s*[{[]/u.test(name));
  return isJson
    ? 'The body was read as a form. To send JSON, add the header Content-Type: application/json'
    : undefined;
}

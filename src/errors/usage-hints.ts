// Finds the hint that shows the client what to write instead, from the error alone.
import { FORMATS } from '../media/formats.ts';
import type { ServiceError, ServiceErrorKind, ServiceErrors } from './api-error.ts';
import { findQueryHint } from './query-hints.ts';
import { parseRowPath } from './row-path.ts';

type Hints = { readonly [K in ServiceErrorKind]?: (error: ServiceErrors[K]) => string | undefined };

const HINTS: Hints = {
  queryParse: findQueryHint,
  invalidPath: findPathHint,
  invalidBody: findBodyHint,
  mediaTypeUnavailable: ({ accepted }) =>
    accepted.includes(FORMATS.geojson.mediaType)
      ? `${FORMATS.geojson.mediaType} needs the extension PostGIS in the database`
      : undefined,
  tokenInvalid: ({ isSignatureWrong }) =>
    isSignatureWrong && 'The signature is wrong: the token was signed with another secret or key',
  anonymousDisabled: ({ isSchemeMissing }) =>
    isSchemeMissing && 'Write Bearer before the token: Authorization: Bearer TOKEN',
  aggregatesDisabled: () => 'The operator allows aggregate functions with db-aggregates-enabled',
  relationshipNotFound: ({ between, target }) =>
    between && `There is no direct relationship. Embed through '${between}': select=${between}(${target}(*))`,
  columnNotFound: ({ column, suggestion, isRelated }) =>
    findJsonAsFormHint([column]) ??
    findNestedHint(column, isRelated) ??
    (suggestion && `Perhaps you meant the column '${suggestion}'`),
  routineNotFound: ({ search }) => (search.kind === 'arguments' ? findJsonAsFormHint(search.names) : undefined),
};

/** @returns `undefined` if no hint would help */
export function findUsageHint<K extends ServiceErrorKind>(error: ServiceError<K>): string | undefined {
  const find: Hints[K] = HINTS[error.kind];
  return find?.(error);
}

function findPathHint({ path, row }: ServiceErrors['invalidPath']): string | undefined {
  const slashed = /^(?<target>\/(?:rpc\/)?[\w-]{1,63})\/$/u.exec(path)?.groups?.['target'];
  if (slashed !== undefined && slashed !== '/rpc')
    return slashed.startsWith('/rpc/') ? `write ${slashed}` : `write ${slashed}, without the slash at the end`;
  const named = parseRowPath(path);
  if (named === undefined) return undefined;
  const { name, key } = named;
  if (row === undefined)
    return `To get one row, filter by its key: write /${name}?id=eq.${key} if the key is called id`;
  const address = `write /${encodeURIComponent(row.relation)}?${encodeURIComponent(row.column)}=eq.${key}`;
  return row.relation === name
    ? `To get one row, filter by its key: ${address}`
    : `Perhaps you meant the table '${row.relation}'. To get one row of it, ${address}`;
}

function findBodyHint({ message, place }: ServiceErrors['invalidBody']): string | undefined {
  if (place !== undefined) return `The JSON goes wrong at line ${place.line}, column ${place.column}`;
  return message.endsWith(KEYS_DIFFER) ? DIFFERING_KEYS : undefined;
}

const KEYS_DIFFER = 'All object keys must match';
const DIFFERING_KEYS =
  'List all keys in the URL: columns=KEY,KEY. Where a key is absent, the column becomes null, or its default with the header Prefer: missing=default';

function findNestedHint(column: string, isRelated: boolean | undefined): string | undefined {
  if (isRelated !== true) return undefined;
  return `'${column}' is a relation. To write its rows too, add the header Prefer: nested=write`;
}

/** The default Content-Type of curl and others makes a JSON text the name of a form field. */
function findJsonAsFormHint(names: readonly string[]): string | undefined {
  const isJson = names.some((name) => /^\s*[{[]/u.test(name));
  return isJson
    ? 'The body was read as a form. To send JSON, add the header Content-Type: application/json'
    : undefined;
}

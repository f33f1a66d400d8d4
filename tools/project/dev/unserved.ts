// Tables that a file creates without a schema, so that they lie in `public`, while another schema is served. Files keep the
// meaning that psql gives them; the save and the 404 say why there is no route.
import { splitScript } from '../../console/split-script.ts';
import type { HttpRequest, HttpResponse } from '../../../src/contract/http.ts';
import { decodeUtf8, parseJsonObject } from '../../../src/util/json-object.ts';
import { tryOr } from '../../support/thrown.ts';
import type { SchemaState } from '../compare/schema-delta.ts';
import type { SourceFile } from '../folder/read-project.ts';
import { CREATE_TABLE, unquote } from './find-renames.ts';

export interface UnservedTable {
  readonly name: string;
  /** `schema/reviews.sql:3` */
  readonly place: string;
  /** Names of the exposed schemas. */
  readonly served: readonly string[];
}

const PUBLIC = 'public';

export function findUnserved(
  files: readonly SourceFile[],
  { facts }: SchemaState,
  served: readonly string[],
): readonly UnservedTable[] {
  if (served.includes(PUBLIC)) return [];
  return files.flatMap(({ path, text }) =>
    splitScript(text).flatMap((part): readonly UnservedTable[] => {
      const { schema, table } = (part.kind === 'statement' && CREATE_TABLE.exec(part.text)?.groups) || {};
      if (schema !== undefined || table === undefined) return [];
      const name = unquote(table);
      const isThere = facts.has({ kind: 'table', schema: PUBLIC, name });
      return isThere ? [{ name, place: `${path}:${part.line}`, served }] : [];
    }),
  );
}

export function describeUnserved({ name, place, served }: UnservedTable): string {
  const advice = `create table ${served[0] ?? 'api'}.${name}, or add public to db-schemas`;
  return `${place}: public.${name} is not served (db-schemas = ${served.join(', ')}). To serve it: ${advice}.`;
}

const NOT_FOUND = 404;

/** Adds to a 404 for such a table why it has no route. */
export function explainNotFound(
  { path }: HttpRequest,
  response: HttpResponse,
  unserved: ReadonlyMap<string, UnservedTable>,
): HttpResponse {
  if (response.status !== NOT_FOUND || unserved.size === 0 || !(response.body instanceof Uint8Array)) return response;
  const table = unserved.get(tryOr(() => decodeURIComponent(path.slice(1)), ''));
  const error = table === undefined ? undefined : parseJsonObject(decodeUtf8(response.body) ?? '');
  if (table === undefined || typeof error?.['message'] !== 'string') return response;
  const body = Buffer.from(JSON.stringify({ ...error, hint: describeUnserved(table) }));
  return { ...response, body, headers: response.headers.filter(([name]) => !/^content-length$/iu.test(name)) };
}

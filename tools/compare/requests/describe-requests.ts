// Derives requests from the API description (OpenAPI 2.0 or 3.x): for each relation its first rows, a page in order with
// its total, and one object, so that a comparison needs no recording.
import { isJsonObject, type JsonObject } from '../../../src/util/json-object.ts';
import type { RecordedRequest } from './recorded-request.ts';

const PAGE = 20;
/** Types without an order, or whose values are long. */
const UNORDERED = /^(?:jsonb?|xml|point|line|lseg|box|path|polygon|circle|geometry|geography)\b/u;

/** Returns requests for every relation in the description; an empty list if it contains none. */
export function deriveRequests(description: JsonObject): readonly RecordedRequest[] {
  const paths = isJsonObject(description['paths']) ? description['paths'] : {};
  const relations = Object.entries(paths).filter(
    ([path, item]) => /^\/[^/]+$/u.test(path) && isJsonObject(item) && item['get'],
  );
  if (relations.length === 0) return [];
  return [read('/'), ...relations.flatMap(([path]) => requestRelation(path, columnsOf(description, path.slice(1))))];
}

function requestRelation(path: string, columns: JsonObject): readonly RecordedRequest[] {
  const target = path.replaceAll(/[^/]+/gu, encodeURIComponent);
  const order = orderBy(columns);
  const suffix = order === '' ? '' : `&order=${order}`;
  return [
    read(`${target}?limit=${PAGE}${suffix}`),
    read(`${target}?limit=${PAGE}${suffix}`, ['prefer', 'count=exact']),
    read(`${target}?offset=1&limit=2${suffix}`, ['prefer', 'count=exact']),
    read(`${target}?limit=${PAGE}${suffix}`, ['accept', 'text/csv']),
    read(`${target}?limit=1${suffix}`, ['accept', 'application/vnd.pgrst.object+json']),
    { ...read(`${target}?limit=${PAGE}`, ['prefer', 'count=exact']), method: 'HEAD' },
    { ...read(target), method: 'OPTIONS' },
  ];
}

function read(target: string, ...headers: RecordedRequest['headers']): RecordedRequest {
  return { method: 'GET', target, headers, body: undefined };
}

/** Returns the properties of the relation's schema. */
function columnsOf(description: JsonObject, name: string): JsonObject {
  const components = isJsonObject(description['components']) ? description['components']['schemas'] : undefined;
  const schemas = description['definitions'] ?? components;
  const schema = isJsonObject(schemas) ? schemas[name] : undefined;
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? properties : {};
}

/** Orders by the primary key; without one by all columns that have an order, so that equal rows do not matter. */
function orderBy(columns: JsonObject): string {
  const entries = Object.entries(columns).filter(([, column]) => isJsonObject(column));
  const keys = entries.filter(([, column]) => JSON.stringify(column).includes('<pk/>'));
  const ordered = entries.filter(([, column]) => isJsonObject(column) && !UNORDERED.test(String(column['format'])));
  return (keys.length > 0 ? keys : ordered).map(([name]) => quoteColumn(name)).join(',');
}

function quoteColumn(name: string): string {
  return encodeURIComponent(/^\w+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/gu, String.raw`\$&`)}"`);
}

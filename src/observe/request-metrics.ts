// Counts requests and measures their duration, by method and route. Routes are names of the schema cache; all other
// paths are counted as `other`, so that clients cannot create series.
import type { SchemaCache } from '../catalog/schema-cache.ts';
import { compareCodePoints } from '../util/code-points.ts';
import type { HttpRequest } from '../contract/http.ts';
import { parseTarget } from '../request/target.ts';
import type { Metric, Sample } from './metrics.ts';
import { type CountedError, RecentErrors } from './recent-errors.ts';

export interface AnsweredRequest {
  readonly request: Pick<HttpRequest, 'method' | 'path' | 'rawQuery'>;
  readonly status: number;
  /** From the arrival of the request to its response, without sending it. */
  readonly milliseconds: number;
  /** When the response was ready, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** Code of the error, if the request failed. */
  readonly code: string | undefined;
  /** The schema cache that the request used. */
  readonly cache: SchemaCache | undefined;
  /** A route of an extension, which no schema contains. */
  readonly ownPath?: string | undefined;
}

export interface Series {
  readonly route: string;
  readonly method: string;
  readonly statuses: Map<number, number>;
  /** Counts per bucket: each contains durations up to its bound and above the previous one. */
  readonly buckets: number[];
  seconds: number;
  slowest: SlowRequest;
}

export interface SlowRequest {
  readonly milliseconds: number;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  /** `select&limit` */
  readonly queryNames: string;
}

/** The counts of one process or of several. */
export interface RequestCounts {
  readonly inFlight: number;
  /** Sorted by route and method. */
  readonly series: readonly Readonly<Series>[];
  readonly errors: { readonly list: readonly CountedError[] };
}

interface Route {
  readonly name: string;
  readonly byMethod: Map<string, Series>;
}

export const OTHER = 'other';
export const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PATCH',
  'PUT',
  'DELETE',
  'OPTIONS',
  'QUERY',
]);
/** Seconds. */
export const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Further routes are counted as `other`. */
const MAX_ROUTES = 1000;
/** Maximum number of paths whose route is cached. */
const MAX_PATHS = 1000;
/** After this time, the slowest request is replaced by a newer one. */
export const SLOWEST_MS = 600_000;
const NONE_SLOW: SlowRequest = { milliseconds: -1, at: 0, queryNames: '' };

export class RequestMetrics implements RequestCounts {
  inFlight = 0;
  readonly errors: RecentErrors = new RecentErrors();
  readonly #routes: Map<string, Route> = new Map();
  /** Valid for `#cache`. */
  readonly #byPath: Map<string, Route> = new Map();
  #cache: SchemaCache | undefined;

  record({ request, status, milliseconds, at, code, cache, ownPath }: AnsweredRequest): void {
    const series = this.#findSeries(request, { cache, ownPath });
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    series.seconds += seconds;
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
    const { slowest, method, route } = series;
    if (milliseconds > slowest.milliseconds || at - slowest.at > SLOWEST_MS) {
      // Parameter names of rejected requests are arbitrary text from the client.
      const isKnown = (status < 400 || status >= 500) && route !== OTHER;
      if (isKnown) series.slowest = { milliseconds, at, queryNames: listQueryNames(request.rawQuery) };
    }
    if (code !== undefined) this.errors.record(code, { status, at, method, route });
  }

  /** Sorted by route and method. */
  get series(): readonly Series[] {
    return sortedValues(this.#routes).flatMap(({ byMethod }) => sortedValues(byMethod));
  }

  #findSeries({ path, method: stated }: AnsweredRequest['request'], names: RouteNames): Series {
    const { cache } = names;
    if (cache !== this.#cache) this.#byPath.clear();
    this.#cache = cache;
    const route = this.#byPath.get(path) ?? this.#find(path, names);
    const method = METHODS.has(stated) ? stated : OTHER;
    const known = route.byMethod.get(method);
    if (known !== undefined) return known;
    const counts = { statuses: new Map<number, number>(), buckets: EMPTY.slice(), seconds: 0 };
    const series: Series = { route: route.name, method, ...counts, slowest: NONE_SLOW };
    route.byMethod.set(method, series);
    return series;
  }

  #find(path: string, names: RouteNames): Route {
    const name = nameRoute(path, names);
    const isKept = name !== OTHER && (this.#routes.has(name) || this.#routes.size < MAX_ROUTES);
    const kept = isKept ? name : OTHER;
    let route = this.#routes.get(kept);
    if (route === undefined) this.#routes.set(kept, (route = { name: kept, byMethod: new Map() }));
    if (isKept && this.#byPath.size < MAX_PATHS) this.#byPath.set(path, route);
    return route;
  }
}

const EMPTY: readonly number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);

function sortedValues<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map].sort(([a], [b]) => compareCodePoints(a, b)).map(([, value]) => value);
}

type RouteNames = Pick<AnsweredRequest, 'cache' | 'ownPath'>;

/** Returns a name of the schema cache, or `other`: nothing that a client invents. */
export function nameRoute(path: string, { cache, ownPath }: RouteNames): string {
  if (path === ownPath) return path;
  const target = parseTarget(path);
  if (!target.ok || cache === undefined) return OTHER;
  if (target.value.kind === 'root') return '/';
  const { kind, name } = target.value;
  const schemas: Iterable<ReadonlyMap<string, unknown>> = (
    kind === 'relation' ? cache.relations : cache.routines
  ).values();
  for (const names of schemas) if (names.has(name)) return kind === 'relation' ? `/${name}` : `/rpc/${name}`;
  return OTHER;
}

export function describeRequests(prefix: string, metrics: RequestCounts): readonly Metric[] {
  const { series, inFlight } = metrics;
  return [
    {
      name: `${prefix}http_requests_total`,
      type: 'counter',
      help: 'The total number of requests that were answered, by method, route and status',
      samples: series.flatMap((each) =>
        [...each.statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, value]) => ({ label: `${renderLabels(each)},status="${status}"`, value })),
      ),
    },
    {
      name: `${prefix}http_request_duration_seconds`,
      type: 'histogram',
      help: 'The time from the arrival of a request to its response, by method and route',
      samples: series.flatMap((each) => renderHistogram(renderLabels(each), each)),
    },
    {
      name: `${prefix}http_requests_in_flight`,
      type: 'gauge',
      help: 'Requests in flight',
      samples: [{ value: inFlight }],
    },
  ];
}

function renderLabels({ route, method }: Readonly<Series>): string {
  return `method="${method}",route="${route.replaceAll(/[\\"]/gu, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}

function renderHistogram(labels: string, { buckets, seconds }: Readonly<Series>): readonly Sample[] {
  let count = 0;
  const samples = buckets.map((value, index) => {
    count += value;
    return { suffix: '_bucket', label: `${labels},le="${BOUNDS[index] ?? '+Inf'}"`, value: count } as const;
  });
  return [
    ...samples,
    { suffix: '_sum', label: labels, value: seconds },
    { suffix: '_count', label: labels, value: count },
  ];
}

const MAX_NAMES = 16;
const MAX_NAME_LENGTH = 63;
/** Only this part of a query string is read. */
const MAX_QUERY_LENGTH = 2048;

/**
 * Lists the parameter names of a query string, without values, to identify slow requests.
 *
 * @returns distinct names in their order, such as `select&limit`
 */
export function listQueryNames(rawQuery: string): string {
  const names = new Set<string>();
  for (const piece of rawQuery.slice(0, MAX_QUERY_LENGTH).split('&')) {
    const end = piece.indexOf('=');
    // A name without a value may itself be a value.
    if (end > 0) names.add(readName(piece.slice(0, end)));
  }
  const listed = [...names].slice(0, MAX_NAMES);
  return (names.size > MAX_NAMES ? [...listed, '…'] : listed).join('&');
}

/** Keeps only the column of a JSON path, because keys can be data. */
function readName(text: string): string {
  const [name = ''] = decode(text).split('->');
  return name.slice(0, MAX_NAME_LENGTH);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

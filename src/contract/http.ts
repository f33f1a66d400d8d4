// The two records between the HTTP server and the core: plain data, so that the core runs behind any server.

/** Header lines in the order received or to be sent; names of requests are lower-cased. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface HttpRequest {
  /** As received, upper case by convention: `GET`. */
  readonly method: string;
  /** Raw path, percent-encoded, without the query string. */
  readonly path: string;
  /** Text after the first `?`, still percent-encoded; `''` without one. */
  readonly rawQuery: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  /** Reason phrase; the standard one of the status when undefined. */
  readonly reason?: string | undefined;
  readonly headers: HeaderList;
  /** Absent for answers that have no body at all (204, HEAD). */
  readonly body?: Uint8Array | undefined;
}

/** First value of a header, by lower-cased name. */
export function firstHeader(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}

/** All values of a header in order, by lower-cased name. */
export function allHeaders(headers: HeaderList, name: string): readonly string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

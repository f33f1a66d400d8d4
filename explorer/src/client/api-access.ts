// The address of the API and the credentials of requests.

export interface ApiAccess {
  /** Base URL of the API, with a trailing `/`. */
  readonly base: string;
  readonly token: string | undefined;
  /** Undefined for the default schema of the server. */
  readonly schema: string | undefined;
}

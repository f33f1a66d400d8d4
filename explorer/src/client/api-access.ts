// Where requests go, and as whom.

export interface ApiAccess {
  /** The folder of the API, ending in `/`. */
  readonly base: string;
  readonly token: string | undefined;
  /** undefined: the default one of the server. */
  readonly schema: string | undefined;
}

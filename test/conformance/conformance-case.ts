// The format of the conformance cases: requests with their expected responses, grouped by the configuration they need.

export interface ConformanceCase {
  /** The checklist statement that the case proves, such as `R12`; further cases of the statement are `R12b`, `R12c`. */
  readonly id: string;
  readonly name: string;
  readonly config?: Readonly<Record<string, string | number | boolean | null>>;
  /** SQL that the superuser runs before the steps. */
  readonly sql?: string;
  /** If true, `fixture.reset()` restores the data afterwards. */
  readonly mutates?: boolean;
  /** An extension that not every PostgreSQL provides, or a minimum version: `postgresql 15`. */
  readonly needs?: string;
  readonly steps: readonly ConformanceStep[];
}

export interface ConformanceStep {
  readonly method?: string;
  readonly path?: string;
  /** Takes the path from a response header of an earlier step. */
  readonly path_from_header?: readonly [step: number, header: string];
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: unknown;
  readonly body_b64?: string;
  readonly expect?: Expectation;
}

/** Properties that are absent are not checked. */
export interface Expectation {
  readonly status?: number;
  readonly reason?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly json?: unknown;
  readonly text?: unknown;
  readonly base64?: string;
}

export interface ConformanceSuite {
  readonly suite: string;
  readonly fixture: string;
  readonly cases: readonly ConformanceCase[];
}

// The conformance cases' format: requests with what must come back, grouped by the configuration they need.

export interface ConformanceCase {
  /** Checklist statement it proves: `R12`; further cases of one statement: `R12b`. */
  readonly id: string;
  readonly name: string;
  readonly config?: Readonly<Record<string, string | number | boolean | null>>;
  /** Run as superuser before. */
  readonly sql?: string;
  /** Data are put back afterwards by `fixture.reset()`. */
  readonly mutates?: boolean;
  /** An extension that not every PostgreSQL has, or the first version that has what is wanted: `postgresql 15`. */
  readonly needs?: string;
  readonly steps: readonly ConformanceStep[];
}

export interface ConformanceStep {
  readonly method?: string;
  readonly path?: string;
  /** Takes the path from a header of an earlier step's response. */
  readonly path_from_header?: readonly [step: number, header: string];
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: unknown;
  readonly body_b64?: string;
  readonly expect?: Expectation;
}

/** What is not named is not checked. */
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

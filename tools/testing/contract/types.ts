// The types of `rowhouse/testing` (`project.md` §5).

/** Who sends requests: the role, and the other claims of the token. */
export interface TestIdentity {
  readonly role: string;
  readonly [claim: string]: unknown;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The value of a JSON body, the text of another one; undefined if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests read fields of it without checking its type first.
  readonly body: any;
  /** The rows of a successful JSON body: its elements, or the object that it is. */
  // oxlint-disable-next-line typescript/no-explicit-any -- Like the body.
  readonly rows: any[];
  /**
   * Says which privilege or which policy hid or refused which row: sentences, one on each line. Looks at the rows as they
   * are when it is called, and changes nothing.
   */
  explain(): Promise<string>;
}

/** Sends requests as one identity. Paths may begin with a slash, and have a query string. */
export interface TestClient {
  get(path: string, options?: RequestOptions): Promise<TestResponse>;
  /** @param body sent as JSON, unless it is text or bytes and the headers name its type */
  post(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse>;
  delete(path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Calls a function with `POST`. */
  rpc(name: string, args?: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<TestResponse>;
  /** Sends any method. */
  request(method: string, path: string, options?: RequestOptions & { readonly body?: unknown }): Promise<TestResponse>;
}

export interface As {
  (identity: TestIdentity): TestClient;
  /** Sends no token, unless the headers have one. */
  readonly nobody: TestClient;
  /**
   * Runs SQL as the owner of the schema, to prepare data: as.owner`insert into orders (id) values (${1}) returning *`.
   *
   * @returns the rows of the last statement
   */
  owner(texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface TestSession extends AsyncDisposable {
  readonly as: As;
  /** Undoes everything. */
  end(): Promise<void>;
}

/** `own` means the keys that the same role lists; keys of several columns are arrays. */
export type ExpectedRows = 'all' | 'own' | 'none' | { readonly own: readonly unknown[] };

/** What one role may do with a relation or function. Actions that are left out are not checked. */
export interface ExpectedAccess {
  /** Of the token, besides the role. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly own?: readonly unknown[];
  readonly select?: ExpectedRows;
  /** Whether copies of the rows may be inserted, apart from constraints. */
  readonly insert?: ExpectedRows;
  readonly update?: ExpectedRows;
  readonly delete?: ExpectedRows;
  /** Of a function. */
  readonly call?: 'all' | 'none';
  /** With which the function is called. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/** By relation, or function as `rpc/NAME`; then by role. */
export type AccessMatrix = Readonly<Record<string, Readonly<Record<string, ExpectedAccess | 'all' | 'none'>>>>;

export interface TestProject {
  /** The folder that contains `schema/`. */
  readonly root: string;
  /** Returns a function for the test runner. What happens in it is undone at its end. */
  test(body: (as: As, session: TestSession) => unknown): () => Promise<void>;
  /** Opens a session whose requests are savepoints of one transaction. */
  begin(): Promise<TestSession>;
  /** Opens a session with a database of its own, whose requests commit. It takes a moment longer. */
  commit(): Promise<TestSession>;
}

// The SQL console of `rowhouse dev`: its requests and what they return.

export const CONSOLE_URL = '/explorer/sql';
/** Contains the key that `rowhouse dev` prints in its link. */
export const CONSOLE_KEY_HEADER = 'Console-Key';

export interface ConsoleRequest {
  readonly sql: string;
  readonly changes: boolean;
  /** The role of the session, as in a request, or that of `--inspect-uri`; without it, the login role of the server. */
  readonly as: 'role' | 'login';
  readonly explain?: 'estimate' | 'measure' | undefined;
}

export type ConsoleOutcome =
  | ConsoleDone
  /** PostgreSQL reports an error; `at` is its place in the text. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly details?: unknown;
      readonly hint?: string;
      readonly at?: number;
    }
  /** The text was not run. */
  | { readonly kind: 'problem'; readonly message: string; readonly at?: number }
  /** The server rejects the request or does not respond. */
  | { readonly kind: 'refused'; readonly message: string };

export interface ConsoleDone {
  readonly kind: 'done';
  readonly results: readonly ConsoleResult[];
  /** The role at the end of the run, which the text may have changed. */
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly maxRows: number;
}

export interface ConsoleResult {
  /** `INSERT 0 5`; undefined if the limit ended the result. */
  readonly command?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly isCut: boolean;
}

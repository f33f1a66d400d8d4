// What became of the last save of a project, and the question about it: sent by `rowhouse dev` to the pages of its
// explorer, as a stream of events below `/explorer/dev/`.

export const DEV_PATHS = {
  news: '/explorer/dev/news',
  answer: '/explorer/dev/answer',
  ask: '/explorer/dev/ask',
} as const;

export interface DevNews {
  /** Differs after each load of the schema. */
  readonly schema: string;
  readonly save: SaveState;
}

export type SaveState =
  /** The files are served. */
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problems: readonly FileProblem[] }
  | { readonly kind: 'question'; readonly id: string; readonly question: SaveQuestion }
  | {
      readonly kind: 'unapplied';
      readonly reason: string;
      /** Whether it waits for the question to be asked again, with a request to `DEV_PATHS.ask`. */
      readonly isRefused?: boolean;
    };

/** Without secrets, like everything that is printed. */
export interface FileProblem {
  /** `schema/orders.sql:4`; absent if no file is to blame. */
  readonly position?: string | undefined;
  readonly column?: number | undefined;
  readonly message: string;
  /** The line with its number, and the line with the caret; empty without a position. */
  readonly source: readonly string[];
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

export type SaveQuestion =
  /** For a person: `table items with 3 rows`. */
  | { readonly kind: 'loss'; readonly losses: readonly string[] }
  /** `column orders.total`, and its new name. */
  | { readonly kind: 'rename'; readonly what: string; readonly to: string };

/** Sent to `DEV_PATHS.answer` with a token signed with the key of `rowhouse dev`. */
export interface SaveAnswer {
  readonly id: string;
  /** Whether the loss is intended, or it was a rename. */
  readonly answer: boolean;
}

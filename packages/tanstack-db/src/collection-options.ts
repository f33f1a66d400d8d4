// Options of a collection that a server keeps current (`beyond.md` §6.4).
import type {
  BaseCollectionConfig,
  CollectionConfig,
  InferSchemaOutput,
  StandardSchema,
  SyncConfig,
  SyncConfigRes,
  UtilsRecord,
} from '@tanstack/db';
import type { Live, LiveError, LiveStatus } from '@rowhouse/live';
import { commitTransaction, type CommittedTransaction } from './commit.ts';
import type { Key } from './key-columns.ts';
import { SOURCE, type Source } from './source.ts';
import { appendParameters, toBase, toSubset } from './subset.ts';
import { refetchRead, SubsetReads } from './subset-reads.ts';
import { SyncedRows } from './synced-rows.ts';

/** A table of `rowhouse types`, such as `Database['api']['Tables']['todos']`, or the type of a row. */
export type RowOf<T extends object> = T extends { readonly Row: infer Row extends object } ? Row : T;

export interface RowhouseUtils extends UtilsRecord {
  readonly status: LiveStatus;
  /** The last error of the server, until rows come again. */
  readonly error: LiveError | undefined;
  /** Reads all rows again. Resolves when the collection has them. */
  readonly refetch: () => Promise<void>;
}

type Passed = 'id' | 'gcTime' | 'startSync' | 'autoIndex' | 'defaultIndexType' | 'compare' | 'syncMode';

// oxlint-disable-next-line typescript/no-explicit-any -- no schema
export interface RowhouseConfig<Row extends object, TKey extends Key, Schema = any> extends Pick<
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema is a parameter of the function
  BaseCollectionConfig<Row, TKey, any>,
  Passed
> {
  /** The connection, from `connect` of `@rowhouse/live`. */
  readonly live: Live;
  /** The read that the collection is, such as `/todos?done=is.false`. Writes go to its table or view. */
  readonly path: string;
  /** Default: the column `id`. Writes find rows by the columns that it reads. */
  readonly getKey?: (row: Row) => TKey;
  readonly schema?: Schema;
  /** Columns and embeds, instead of `select=` in the path. */
  readonly select?: string;
  /** Makes values of rows from those that the server sends, by column. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what the server sends depends on the column
  readonly parse?: { readonly [Column in keyof Row]?: (value: any) => Row[Column] };
  /** Makes values for the server, by column. Dates become ISO texts and big integers texts without it. */
  readonly serialize?: { readonly [Column in keyof Row]?: (value: Row[Column]) => unknown };
  /** Milliseconds that a mutation waits for the rows of its write. Default: 10 s. */
  readonly positionTimeout?: number;
}

type Options<Row extends object, TKey extends Key, Schema extends StandardSchema<unknown>> = CollectionConfig<
  Row,
  TKey,
  Schema,
  RowhouseUtils
> & { readonly utils: RowhouseUtils };

const POSITION_TIMEOUT_MS = 10_000;

/** Returns what `createCollection` takes. */
export function rowhouseCollectionOptions<Schema extends StandardSchema<unknown>, TKey extends Key = Key>(
  config: RowhouseConfig<InferSchemaOutput<Schema>, TKey> & { readonly schema: Schema },
): Options<InferSchemaOutput<Schema>, TKey, Schema>;
export function rowhouseCollectionOptions<Table extends object, TKey extends Key = Key>(
  config: RowhouseConfig<RowOf<Table>, TKey> & { readonly schema?: never },
): Options<RowOf<Table>, TKey, never>;
// oxlint-disable-next-line typescript/no-explicit-any -- the signatures above have the types
export function rowhouseCollectionOptions(config: RowhouseConfig<any, Key>): Options<any, Key, any> {
  const {
    live,
    path,
    getKey = idOf,
    select,
    parse,
    serialize,
    positionTimeout = POSITION_TIMEOUT_MS,
    ...passed
  } = config;
  const base = config.syncMode === 'on-demand' ? toBase(path) : path;
  const read = select === undefined ? base : appendParameters(base, [['select', select]]);
  const source: Source = {
    live,
    relation: path.replace(/\?.*$/su, ''),
    getKey,
    serialize: (column, value) => convert(serialize?.[column], value),
    positionTimeout,
  };
  const state: State = { error: undefined, refetch: () => Promise.resolve() };
  const commit = ({ transaction }: { readonly transaction: CommittedTransaction }): Promise<void> =>
    commitTransaction(live, transaction, { positionTimeout });
  return {
    ...passed,
    getKey,
    sync: {
      sync: (actions) => {
        const rows = new SyncedRows(actions, { getKey, parse: (row) => parseRow(row, parse) });
        if (config.syncMode !== 'on-demand') return syncEagerly(actions, { source, read, rows, state });
        actions.markReady();
        return syncOnDemand({ source, read, rows, state });
      },
      rowUpdateMode: 'full',
    },
    onInsert: commit,
    onUpdate: commit,
    onDelete: commit,
    utils: makeUtils(source, state),
  };
}

/** What the utilities show. */
interface State {
  error: LiveError | undefined;
  refetch: () => Promise<void>;
}

interface SyncContext {
  readonly source: Source;
  readonly read: string;
  readonly rows: SyncedRows;
  readonly state: State;
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of any type
type SyncActions = Parameters<SyncConfig<any, Key>['sync']>[0];

function syncEagerly({ markReady, markError }: SyncActions, context: SyncContext): () => void {
  const { source, read, rows, state } = context;
  const stopped = new AbortController();
  let isReady = false;
  source.live.watch(read, {
    signal: stopped.signal,
    onRows: (sent) => {
      state.error = undefined;
      void rows.replace(source, sent);
      isReady = true;
      markReady();
    },
    onChange: (change) => void rows.apply(source, change),
    onError: (error) => {
      state.error = error;
      if (!error.isFinal) return;
      if (!isReady) markError(error);
      // What may not be read any more is not shown.
      else if (error.status !== 400) rows.drop(source);
    },
  });
  state.refetch = () => refetchRead(source.live, read, stopped.signal);
  return () => stopped.abort();
}

function syncOnDemand({ source, read, rows, state }: SyncContext): SyncConfigRes {
  const reads = new SubsetReads({
    live: source.live,
    rows,
    toSubset: (options) => toSubset(read, options, source.serialize),
    onError: (error) => (state.error = error),
  });
  state.refetch = () => reads.refetch();
  return {
    loadSubset: (options) => reads.load(options),
    unloadSubset: (options) => reads.unload(options),
    cleanup: () => reads.close(),
  };
}

function makeUtils(source: Source, state: State): RowhouseUtils {
  const utils = {
    get status() {
      return source.live.status;
    },
    get error() {
      return state.error;
    },
    refetch: () => state.refetch(),
    [SOURCE]: source,
  };
  return utils;
}

function idOf(row: { readonly id: Key }): Key {
  return row.id;
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of any type
function parseRow(row: any, parse: RowhouseConfig<any, Key>['parse']): any {
  if (parse === undefined) return row;
  const parsed = Object.entries(row).map(([column, value]) => [column, convert(parse[column], value)] as const);
  return Object.fromEntries(parsed);
}

/** NULL is null on both sides. */
function convert(change: ((value: unknown) => unknown) | undefined, value: unknown): unknown {
  return change === undefined || value === null || value === undefined ? value : change(value);
}

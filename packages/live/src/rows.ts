// The rows of a read as an iterable of whole arrays. Who reads slowly gets the newest array, not all of them.
import { LiveError } from './live-error.ts';
import type { AnyRow, Callbacks } from './watched-read.ts';

export interface RowsOptions {
  /** The iteration ends without an error when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Columns of the primary key. Default: `id`. */
  readonly key?: string | readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** @param watch starts to watch, and returns how to stop */
export async function* iterateRows<Row>(
  watch: (callbacks: Callbacks<Row>, end: () => void) => () => void,
  { key = 'id' }: RowsOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const columns = [key].flat();
  let rows: readonly Row[] = [];
  /** Undefined until there is a change: before, no key is needed. */
  let byKey: Map<string, Row> | undefined;
  let isNew = false;
  let isOver = false;
  let failure: unknown;
  let wake: () => void = () => undefined;
  /** An exception of `apply` is for the one who iterates. */
  const note = (apply: () => void): void => {
    try {
      apply();
      isNew = true;
    } catch (error) {
      failure ??= error;
    }
    wake();
  };
  const stop = watch(
    {
      onRows: (all) =>
        note(() => {
          rows = all;
          byKey = undefined;
        }),
      onChange: (change) =>
        note(() => {
          byKey ??= indexRows(rows, columns);
          for (const row of change.delete) {
            if (Object.keys(row).length !== columns.length) throw wrongKey(columns);
            byKey.delete(readKey(row, columns));
          }
          for (const row of change.upsert) byKey.set(readKey(row, columns), row);
        }),
      onError: (error) => {
        if (error.isFinal)
          note(() => {
            throw error;
          });
      },
    },
    () =>
      note(() => {
        isOver = true;
      }),
  );
  try {
    for (;;) {
      if (failure !== undefined) throw failure;
      if (isOver) return;
      if (isNew) {
        isNew = false;
        yield byKey === undefined ? rows : [...byKey.values()];
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
  }
}

function indexRows<Row>(rows: readonly Row[], columns: readonly string[]): Map<string, Row> {
  const byKey = new Map(rows.map((row) => [readKey(row, columns), row]));
  if (byKey.size < rows.length) throw wrongKey(columns);
  return byKey;
}

function readKey(row: AnyRow, columns: readonly string[]): string {
  const values: unknown[] = columns.map((name) => row[name]);
  if (values.includes(undefined)) throw wrongKey(columns);
  return JSON.stringify(values);
}

function wrongKey(columns: readonly string[]): LiveError {
  return new LiveError(`The key is not (${columns.join(', ')}). Pass \`key\``, { code: 'protocol' });
}

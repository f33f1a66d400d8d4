// Keeps what a watcher of a read is called with, and applies it.
import type { Change, LiveError, WatchOptions } from '../../../packages/live/src/index.ts';
import { until } from '../../support/until.ts';

type Row = Readonly<Record<string, unknown>>;

export class Recorder {
  /** `rows 2`, `change +1 -0`, `error 503`, `final 404`. */
  readonly calls: string[] = [];
  readonly errors: LiveError[] = [];
  readonly rows: Map<unknown, Row> = new Map<unknown, Row>();

  get callbacks(): WatchOptions<Row> {
    return {
      onRows: (rows) => {
        this.calls.push(`rows ${rows.length}`);
        this.rows.clear();
        for (const row of rows) this.rows.set(row['id'], row);
      },
      onChange: (change: Change<Row>) => {
        this.calls.push(`change +${change.upsert.length} -${change.delete.length}`);
        for (const row of change.delete) this.rows.delete(row['id']);
        for (const row of change.upsert) this.rows.set(row['id'], row);
      },
      onError: (error) => {
        this.errors.push(error);
        this.calls.push(`${error.isFinal ? 'final' : 'error'} ${error.status ?? error.code}`);
      },
    };
  }

  /** The values of `title`, by key. */
  get titles(): string {
    return [...this.rows.values()].map(({ title }) => title as string).join(' ');
  }

  async calledTimes(count: number): Promise<readonly string[]> {
    await until(() => this.calls.length >= count, { seconds: 10, why: () => this.calls.join(', ') });
    return this.calls;
  }
}

// Limits what a body makes the server remember besides its rows: each level, each different set of columns and each
// statement takes some hundred bytes per column.
import type { ApiError } from '../../../errors/api-error.ts';

const MAX_COLUMNS = 20_000;

export class ShapeBudget {
  #columns = 0;

  /** @returns the error if there are too many */
  add(columns: number): ApiError | undefined {
    this.#columns += 1 + columns;
    if (this.#columns <= MAX_COLUMNS) return undefined;
    const limit = `the different sets of columns of related rows have up to ${MAX_COLUMNS} columns in all`;
    return { kind: 'limitExceeded', limit, status: 400 };
  }
}

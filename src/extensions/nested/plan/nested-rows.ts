// The rows of one level as positions in the body: about 16 bytes for each row, and 8 for each of its columns.
import { NumberList } from './number-list.ts';
import { compareCodePoints } from '../../../util/code-points.ts';
import type { Span } from '../../../request/payload/json-text.ts';
import type { TaskRows } from '../nested-plan.ts';

export interface RowPlace {
  /** Index of the row that contains it in the level above. */
  readonly parent: number;
  /** Index in its array. */
  readonly index: number;
}

/** The columns that a row has, in code-point order. Rows with the same ones share a shape. */
export interface RowShape {
  readonly id: number;
  readonly names: readonly string[];
}

export class NestedRows {
  readonly text: Uint8Array;
  readonly shapes: RowShape[] = [];
  readonly #shapesByNames = new Map<string, RowShape>();
  readonly #parents = new NumberList();
  readonly #indexes = new NumberList();
  readonly #shapes = new NumberList();
  /** Where the spans of a row begin. */
  readonly #starts = new NumberList();
  /** Start and end of each value, in the order of the names. */
  readonly #spans = new NumberList();

  /** @param text the body */
  constructor(text: Uint8Array) {
    this.text = text;
  }

  get length(): number {
    return this.#parents.length;
  }

  /** @param columns the values by column */
  add({ parent, index }: RowPlace, columns: ReadonlyMap<string, Span>): RowShape {
    const names = [...columns.keys()].sort(compareCodePoints);
    const shape = this.#shapeOf(names);
    this.#parents.push(parent);
    this.#indexes.push(index);
    this.#shapes.push(shape.id);
    this.#starts.push(this.#spans.length);
    for (const name of names) {
      const { start, end } = columns.get(name) ?? NOWHERE;
      this.#spans.push(start);
      this.#spans.push(end);
    }
    return shape;
  }

  placeOf(row: number): RowPlace {
    return { parent: this.#parents.at(row), index: this.#indexes.at(row) };
  }

  parentOf(row: number): number {
    return this.#parents.at(row);
  }

  /** Returns the first row of a parent; undefined if it has none. Parents come in order. */
  firstOf(parent: number): number | undefined {
    const row = this.#parents.findFirst(parent);
    return row < this.length && this.#parents.at(row) === parent ? row : undefined;
  }

  shapeOf(row: number): RowShape {
    return this.shapes[this.#shapes.at(row)] ?? NO_SHAPE;
  }

  /** @param position of the column in the shape of the row */
  valueOf(row: number, position: number): Uint8Array {
    const at = this.#starts.at(row) + 2 * position;
    return this.text.subarray(this.#spans.at(at), this.#spans.at(at + 1));
  }

  #shapeOf(names: readonly string[]): RowShape {
    const last = this.shapes.at(-1);
    if (
      last !== undefined &&
      last.names.length === names.length &&
      last.names.every((name, index) => name === names[index])
    )
      return last;
    const key = JSON.stringify(names);
    const known = this.#shapesByNames.get(key);
    if (known !== undefined) return known;
    const shape = { id: this.shapes.length, names };
    this.shapes.push(shape);
    this.#shapesByNames.set(key, shape);
    return shape;
  }
}

/** The rows of a level as a task needs them. */
export function taskRowsOf(rows: NestedRows, pointerOf: TaskRows['pointerOf']): TaskRows {
  return { length: rows.length, pointerOf, valueOf: (row, position) => rows.valueOf(row, position) };
}

const NOWHERE: Span = { start: 0, end: 0 };
const NO_SHAPE: RowShape = { id: 0, names: [] };

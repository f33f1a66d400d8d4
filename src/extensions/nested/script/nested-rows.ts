// The rows of a nested write while it runs: what is known of the rows that are written, and the JSON of the next ones.
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Pieces } from '../../../contract/transaction.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { NestedPlan, NestedTask, RowForm, RowLink } from '../nested-plan.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET } from '../../../request/payload/json-scanner.ts';
import { IN_JSON_STRING, PieceWriter } from '../../../request/payload/piece-writer.ts';
import { NumberList } from '../plan/number-list.ts';
import { SliceMeter, type Slices } from '../../../util/slices.ts';
import { SAVED } from '../../../sql/writes/changes.ts';
import { unusedName } from '../../../sql/writes/written-rows.ts';

/** What the database has returned for the rows of one task. */
interface TaskKeys {
  /** 0: nothing; otherwise 1 for an existing row that an insert has ignored, 2 for all others. */
  readonly states: NumberList;
  /** The values that each statement returned, as JSON text, one row after another. */
  readonly values: string[];
  /** Number of values per row. */
  readonly width: number;
}

const IGNORED = 1;
const WRITTEN = 2;

/** The keys of the rows that are written so far, by task. */
export class WrittenKeys {
  readonly #tasks = new Map<number, TaskKeys>();
  /** The rows of the top level as they were, in JSON. */
  readonly #old = new Map<number, Uint8Array>();

  /** Notes the first row that is returned; later ones for the same row are ignored. */
  note(
    { task, row, isFallback }: { readonly task: number; readonly row: number; readonly isFallback: boolean },
    { values, old }: ReturnedRow,
  ): void {
    let known = this.#tasks.get(task);
    if (known === undefined) {
      known = { states: new NumberList(), values: [], width: values.length };
      this.#tasks.set(task, known);
    }
    if (known.states.at(row) !== 0) return;
    known.states.set(row, isFallback ? IGNORED : WRITTEN);
    // Without holes, which would make the list a slow one.
    while (known.values.length < row * known.width) known.values.push('null');
    known.values.push(...values);
    if (old !== undefined) this.#old.set(row, old);
  }

  /** Returns a row of the top level before it was written, in JSON. */
  oldOf(row: number): Uint8Array | undefined {
    return this.#old.get(row);
  }

  isFound(task: number, row: number): boolean {
    return (this.#tasks.get(task)?.states.at(row) ?? 0) !== 0;
  }

  isWritten(task: number, row: number): boolean {
    return this.#tasks.get(task)?.states.at(row) === WRITTEN;
  }

  /** Returns undefined if the row is not known. */
  valueOf(task: number, row: number, position: number): string | undefined {
    const known = this.#tasks.get(task);
    if (known === undefined || known.states.at(row) === 0 || position >= known.width) return undefined;
    return known.values[row * known.width + position];
  }
}

const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();
const NULL = ENCODER.encode('null');
/** Expected bytes of most statements' rows. */
const FIRST_PIECE = 256;
/** Units of work for each row, besides its bytes. */
const ROW_UNITS = 1024;

interface ReturnedRow {
  readonly values: readonly string[];
  /** The row before it was written, in JSON; undefined: it is not shown. */
  readonly old?: Uint8Array;
}

/** Reads the first row that a statement returns (`render-nested.ts`). */
export function readReturned(body: Uint8Array | undefined, hasOld: boolean): ReturnedRow | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const end = hasOld ? body.indexOf(LINE_FEED) : body.length;
  const rows: unknown = JSON.parse(DECODER.decode(body.subarray(0, end)));
  const [row]: readonly unknown[] = Array.isArray(rows) ? rows : [];
  if (!Array.isArray(row)) return undefined;
  const values = row.map(textOf);
  return hasOld ? { values, old: body.slice(end + 1) } : { values };
}

const LINE_FEED = 0x0a;

/** The value null has no text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'null';
}

/** Successive rows of a task. */
export interface RowRange {
  readonly task: number;
  readonly start: number;
  readonly end: number;
}

/** Renders the JSON arrays that the statements of a nested write take their rows from. */
export class RowRenderer {
  readonly #plan: NestedPlan;
  readonly #keys: WrittenKeys;
  readonly #meter = new SliceMeter();
  readonly #names = new Map<string, Uint8Array>();
  /** Where each linked column is among the values of the other row. */
  readonly #positions = new Map<RowForm, ReadonlyMap<string, number>>();

  constructor(plan: NestedPlan, keys: WrittenKeys) {
    this.#plan = plan;
    this.#keys = keys;
  }

  /** Fails if a row would be stored without a reference to its related row, whose key is null. */
  *renderRows({ task, start, end }: RowRange): Slices<Result<Pieces, ApiError>> {
    const rows = this.#plan.tasks[task];
    const writer = new PieceWriter(FIRST_PIECE, IN_JSON_STRING);
    let separator = OPEN_BRACKET;
    for (let row = start; row < end; row += 1) {
      const form = rows && findForm(rows, row, this.#keys);
      if (rows === undefined || form === undefined) continue;
      const before = writer.length;
      writer.writeByte(separator);
      separator = COMMA;
      // Null columns refer to no row, although the body has one.
      if (!this.#writeRow(writer, rows, form, row))
        return fail({
          kind: 'nestedRow',
          pointer: rows.rows.pointerOf(row),
          reason: 'The key of its related row is null',
        });
      if (this.#meter.add(ROW_UNITS + writer.length - before)) yield;
    }
    if (separator === OPEN_BRACKET) writer.writeByte(OPEN_BRACKET);
    writer.writeByte(CLOSE_BRACKET);
    return ok(writer.finish());
  }

  /** Renders the keys of the top level, with the old rows if these are shown. */
  *renderTopKeys(count: number): Slices<Pieces> {
    const { top, tasks, key } = this.#plan;
    const writer = new PieceWriter(FIRST_PIECE, IN_JSON_STRING);
    const total = key.length === 0 ? count : (tasks[top]?.rows.length ?? 0);
    let separator = OPEN_BRACKET;
    for (let row = 0; row < total; row += 1) {
      if (this.#meter.add(ROW_UNITS)) yield;
      if (key.length > 0 && !this.#keys.isWritten(top, row)) continue;
      writer.writeByte(separator);
      separator = COMMA;
      const before = writer.length;
      this.#writeTopKey(writer, row);
      if (this.#meter.add(writer.length - before)) yield;
    }
    if (separator === OPEN_BRACKET) writer.writeByte(OPEN_BRACKET);
    writer.writeByte(CLOSE_BRACKET);
    return writer.finish();
  }

  #writeTopKey(writer: PieceWriter, row: number): void {
    const { top, tasks, key } = this.#plan;
    const { relation, returned = [], old } = tasks[top]?.formOf(row, true)?.statement ?? {};
    let mark = OPEN_BRACE;
    for (const { column } of key) {
      writer.writeByte(mark);
      this.#writeValue(writer, column.name, this.#keys.valueOf(top, row, returned.indexOf(column.name)));
      mark = COMMA;
    }
    if (relation !== undefined && old !== undefined) {
      writer.writeByte(mark);
      writer.write(this.#nameOf(unusedName(relation, SAVED)));
      writer.write(this.#keys.oldOf(row) ?? NULL);
      mark = COMMA;
    }
    if (mark === OPEN_BRACE) writer.writeByte(OPEN_BRACE);
    writer.writeByte(CLOSE_BRACE);
  }

  /** @returns whether all references are known */
  #writeRow(writer: PieceWriter, { rows }: NestedTask, form: RowForm, row: number): boolean {
    const { statement, members, links } = form;
    const isPair = statement.verb === 'same';
    let mark = OPEN_BRACE;
    for (const { name, position } of members) {
      writer.writeByte(mark);
      writer.write(this.#nameOf(name));
      writer.write(rows.valueOf(row, position));
      mark = COMMA;
    }
    if (isPair) {
      writer.writeByte(CLOSE_BRACE);
      writer.writeByte(COMMA);
      mark = OPEN_BRACE;
    }
    for (const link of links)
      for (const [own, other] of link.columns) {
        const value = this.#readLink(link, row, other);
        // A column that the statement stores needs a value.
        if (
          (form.statement.verb === 'insert' || form.statement.verb === 'update') &&
          !form.statement.match.includes(own) &&
          (value === undefined || value === 'null')
        )
          return false;
        writer.writeByte(mark);
        this.#writeValue(writer, own, value);
        mark = COMMA;
      }
    if (mark === OPEN_BRACE) writer.writeByte(OPEN_BRACE);
    writer.writeByte(CLOSE_BRACE);
    return true;
  }

  #readLink({ task, rowOf }: RowLink, row: number, column: string): string | undefined {
    const other = rowOf(row);
    const form = this.#plan.tasks[task]?.formOf(other, true);
    return form === undefined ? undefined : this.#keys.valueOf(task, other, this.#positionOf(form, column));
  }

  #positionOf(form: RowForm, column: string): number {
    let positions = this.#positions.get(form);
    if (positions === undefined) {
      positions = new Map(form.statement.returned.map((name, index) => [name, index]));
      this.#positions.set(form, positions);
    }
    return positions.get(column) ?? Infinity;
  }

  #writeValue(writer: PieceWriter, name: string, value: string | undefined): void {
    writer.write(this.#nameOf(name));
    writer.write(value === undefined ? NULL : ENCODER.encode(value));
  }

  #nameOf(name: string): Uint8Array {
    let bytes = this.#names.get(name);
    if (bytes === undefined) {
      bytes = ENCODER.encode(`${JSON.stringify(name)}:`);
      this.#names.set(name, bytes);
    }
    return bytes;
  }
}

/** Returns how a row is written; undefined if it is not. */
export function findForm(task: NestedTask, row: number, keys: WrittenKeys): RowForm | undefined {
  return task.formOf(row, task.decidedBy === undefined || keys.isFound(task.decidedBy, row));
}

// Says which row of a body has the value that PostgreSQL refused. Reads the body once more, after the refusal, so that
// bodies without such a value cost nothing.
import type { DatabaseReport } from '../../errors/api-error.ts';
import { CsvRecords, type RecordWriter, type ScannedField } from '../../request/payload/csv-records.ts';
import { CsvScanner, LINE_FEED } from '../../request/payload/csv-scanner.ts';
import { CLOSE_BRACKET, OPEN_BRACKET, scanLongValue, skipWhitespace } from '../../request/payload/json-scanner.ts';
import { readHeader } from '../../request/payload/parse-csv-rows.ts';
import { parseJsonObject } from '../../util/json-object.ts';
import type { Slices } from '../../util/slices.ts';
import { INVALID } from '../../util/utf8.ts';
import type { PlannedRows } from '../../plan/actions/action-plan.ts';

type MutateAction = Extract<PlannedRows, { kind: 'mutate' }>;
type Column = NonNullable<MutateAction['payload']>['columns'][number]['column'];

/** Bytes. Longer bodies are not read again. */
const MAX_BODY = 67_108_864;
/** Bytes of a row; the search ends at a longer one. */
const MAX_ROW = 262_144;
const MAX_VALUE_LENGTH = 1000;
/** Values that are texts anyway are never refused. */
const TEXT_TYPE = /^(?:text|character|name|citext|json|xml|bytea)/u;
/** SQLSTATEs of refused values, whose message repeats the value. */
export const VALUE_STATES: ReadonlySet<string> = new Set(['22P02', '22003', '22007', '22008']);
const DECODER = new TextDecoder();

/** @returns undefined if no row can be named, or if there is only one */
export function* findBadRow(
  report: DatabaseReport,
  action: MutateAction,
  { body, isCsv }: { readonly body: Uint8Array; readonly isCsv: boolean },
): Slices<string | undefined> {
  const { payload } = action;
  const value = /^[^"]*"(.*)"/su.exec(report.message)?.[1];
  if (value === undefined || value.length > MAX_VALUE_LENGTH) return undefined;
  if (payload?.isArray !== true || payload.elements !== undefined || body.length > MAX_BODY) return undefined;
  const columns = listSuspects(
    report.message,
    payload.columns.map(({ column }) => column),
  );
  return isCsv ? yield* findInCsv(body, columns, value) : yield* findInJson(body, columns, value);
}

/** Returns the columns of the type in the message, if it names one of them; otherwise those that refuse some texts. */
function listSuspects(message: string, columns: readonly Column[]): ReadonlySet<string> {
  const type = /\bfor (?:type|enum) ([^:]+?)(?:: "|$)/u.exec(message)?.[1];
  const typed = columns.filter(
    ({ type: own, nominalType }) =>
      type !== undefined && [own, nominalType].some((one) => one.startsWith(type) || one.endsWith(`.${type}`)),
  );
  const suspects = typed.length > 0 ? typed : columns.filter((column) => !TEXT_TYPE.test(column.type));
  return new Set(suspects.map(({ name }) => name));
}

function* findInJson(body: Uint8Array, columns: ReadonlySet<string>, value: string): Slices<string | undefined> {
  let pos = skipWhitespace(body, 0);
  if (body[pos] !== OPEN_BRACKET) return undefined;
  for (let index = 0; ; index++) {
    const start = skipWhitespace(body, pos + 1);
    if (body[start] === CLOSE_BRACKET) return undefined;
    const end = yield* scanLongValue(body, start, body.length);
    if (end === INVALID || end - start > MAX_ROW) return undefined;
    const row = parseJsonObject(DECODER.decode(body.subarray(start, end))) ?? {};
    const bad = Object.entries(row).find(([name, own]) => columns.has(name) && isValue(own, value));
    pos = skipWhitespace(body, end);
    const isOnly = index === 0 && body[pos] === CLOSE_BRACKET;
    if (bad !== undefined)
      return isOnly ? undefined : `Row ${index + 1} of the body (index ${index}), column '${bad[0]}'`;
    yield;
  }
}

/** Whether PostgreSQL writes a JSON value, or one of an array, as the text. */
function isValue(own: unknown, text: string): boolean {
  if (typeof own === 'number') return text.trim() !== '' && own === Number(text);
  if (Array.isArray(own)) return own.some((item) => isValue(item, text));
  return String(own) === text;
}

function* findInCsv(body: Uint8Array, columns: ReadonlySet<string>, value: string): Slices<string | undefined> {
  const scanner = new CsvScanner(body);
  const header = yield* readHeader(body, scanner);
  if (!header.ok) return undefined;
  const search = new FieldSearch(
    body,
    header.value.map((name) => columns.has(name)),
    value,
  );
  let start = 0;
  yield* new CsvRecords(header.value).read(scanner, search, (position) => {
    start = position;
    return search.found === undefined;
  });
  if (search.found === undefined) return undefined;
  return `Line ${yield* lineAt(body, start)} of the body, column '${header.value[search.found]}'`;
}

class FieldSearch implements RecordWriter {
  readonly length = 0;
  /** Index of the column. */
  found: number | undefined;
  readonly #body: Uint8Array;
  readonly #isSuspect: readonly boolean[];
  readonly #value: string;

  constructor(body: Uint8Array, isSuspect: readonly boolean[], value: string) {
    this.#body = body;
    this.#isSuspect = isSuspect;
    this.#value = value;
  }

  beginRecord(): void {}

  writeField(index: number, { start, end }: ScannedField): number {
    const isSearched = this.#isSuspect[index] === true && end - start <= MAX_ROW;
    if (isSearched && DECODER.decode(this.#body.subarray(start, end)).replaceAll('""', '"') === this.#value)
      this.found ??= index;
    return end;
  }

  endRecord(): void {}
}

function* lineAt(body: Uint8Array, position: number): Slices<number> {
  let line = 1;
  for (let pos = body.indexOf(LINE_FEED); pos !== -1 && pos < position; pos = body.indexOf(LINE_FEED, pos + 1)) {
    line += 1;
    if (line % 4096 === 0) yield;
  }
  return line;
}

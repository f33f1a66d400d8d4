// Decodes messages of the output plugin pgoutput, protocol version 1, into transactions.
// https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
import {
  type LogRow,
  type LogTransaction,
  type RelationChanges,
  renderDefinition,
  type RowChange,
} from './log-changes.ts';
import { MessageCursor } from './message-cursor.ts';

/** Changes of one table in one transaction beyond which they are no longer listed. */
const MAX_CHANGES = 10_000;
/** Bytes of the values of one transaction beyond which no more rows are listed. */
const MAX_BYTES = 4_194_304;
/** Bytes of a value that is kept. Keys and values of indexed columns are short. */
const MAX_VALUE_BYTES = 1024;

export class LogDecoder {
  readonly #timeline: number;
  /** Names of the columns of each table, by its oid. */
  readonly #columns: Map<number, readonly string[]> = new Map();
  #xid = 0;
  #byteLength = 0;
  #changes: Map<number, RowChange[] | 'all'> = new Map();
  #described: Map<number, string> = new Map();

  /** @param timeline of the log */
  constructor(timeline: number) {
    this.#timeline = timeline;
  }

  /** @returns the transaction that the message completes, if any */
  decode(message: Buffer): LogTransaction | undefined {
    const cursor = new MessageCursor(message);
    switch (cursor.letter()) {
      case 'B':
        this.#begin(cursor);
        return undefined;
      case 'C':
        return this.#commit(cursor);
      case 'R':
        this.#describe(cursor);
        return undefined;
      case 'I':
      case 'U':
      case 'D':
        this.#addRow(cursor);
        return undefined;
      case 'T':
        this.#truncate(cursor);
        return undefined;
      default:
        return undefined;
    }
  }

  #begin(cursor: MessageCursor): void {
    cursor.skip(16);
    this.#xid = cursor.uint32();
    this.#byteLength = 0;
    this.#changes = new Map();
    this.#described = new Map();
  }

  #commit(cursor: MessageCursor): LogTransaction {
    cursor.skip(9);
    const position = { timeline: this.#timeline, lsn: endOfRecord(cursor.uint64()) };
    const changes: ReadonlyMap<number, RelationChanges> = this.#changes;
    this.#changes = new Map();
    return { position, xid: this.#xid, byteLength: this.#byteLength, changes, described: this.#described };
  }

  #describe(cursor: MessageCursor): void {
    const oid = cursor.uint32();
    cursor.text();
    cursor.text();
    const identity = cursor.letter();
    const columns = Array.from({ length: cursor.uint16() }, () => {
      cursor.skip(1);
      const column = { name: cursor.text(), type: cursor.uint32() };
      cursor.skip(4);
      return column;
    });
    // Later descriptions follow a change of the definition.
    if (this.#columns.has(oid)) this.#changes.set(oid, 'all');
    this.#columns.set(
      oid,
      columns.map(({ name }) => name),
    );
    this.#described.set(oid, renderDefinition(identity, columns));
  }

  #addRow(cursor: MessageCursor): void {
    const oid = cursor.uint32();
    const known = this.#changes.get(oid);
    if (known === 'all') return;
    let before: LogRow | undefined;
    let after: LogRow | undefined;
    while (!cursor.isAtEnd) {
      const isNew = cursor.letter() === 'N';
      const row = readRow(cursor);
      if (isNew) after = row;
      else before = row;
    }
    const change: RowChange = { columns: this.#columns.get(oid) ?? [], before, after };
    this.#byteLength += cursor.length;
    if (this.#byteLength > MAX_BYTES || known?.length === MAX_CHANGES) this.#changes.set(oid, 'all');
    else if (known === undefined) this.#changes.set(oid, [change]);
    else known.push(change);
  }

  #truncate(cursor: MessageCursor): void {
    const count = cursor.uint32();
    cursor.skip(1);
    for (let index = 0; index < count; index += 1) this.#changes.set(cursor.uint32(), 'all');
  }
}

const SMALLEST_PAGE = 1024n;
const SMALLEST_SEGMENT = 1_048_576n;
const PAGE_HEADER = 24n;
const SEGMENT_HEADER = 40n;

/**
 * Returns the position that PostgreSQL reports when this one is the end of the log: behind the header of the next page, if
 * a page ends here. No commit ends in between, because its record is longer than the header, wherever pages end.
 */
export function endOfRecord(lsn: bigint): bigint {
  if (lsn % SMALLEST_PAGE !== 0n) return lsn;
  return lsn + (lsn % SMALLEST_SEGMENT === 0n ? SEGMENT_HEADER : PAGE_HEADER);
}

/** Copies values out of the message, whose memory would otherwise stay in use. */
function readRow(cursor: MessageCursor): LogRow {
  return Array.from({ length: cursor.uint16() }, () => {
    const kind = cursor.letter();
    if (kind === 'n') return null;
    return kind === 'u' ? undefined : cursor.sizedText(MAX_VALUE_BYTES);
  });
}

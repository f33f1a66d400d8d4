// Renders the events of a stream of rows (`beyond.md` §3.1b).
import { type LogPosition, renderLogPosition } from '../../../contract/log-position.ts';
import type { LiveKey } from '../plan/plan-live.ts';
import type { Slices } from '../../../util/slices.ts';
import { encodeEvent, type EncodedEvent, encodeText, END, renderEvent, renderHead } from './event-text.ts';
import { parseKey, readRow, type RowsDifference } from './row-changes.ts';
import type { LiveRows } from './sent-rows.ts';

/** An event of a group, encoded for streams of one read. Lists share its data. */
export interface LiveEvent extends EncodedEvent {
  readonly name: 'rows' | 'change' | 'reset';
  /** Undefined for `reset`. */
  readonly id: string | undefined;
  /** Up to where the rows contain all commits, if that is known. */
  readonly position: LogPosition | undefined;
  /** Index in the first piece. */
  readonly dataStart: number;
}

/** Tells the client to discard its rows. */
export const RESET: LiveEvent = describe(
  { name: 'reset', id: undefined, position: undefined },
  renderEvent({ name: 'reset', id: undefined, data: '' }),
);
export const EXPIRED: EncodedEvent = renderEvent({ name: 'expired', id: undefined, data: '' });

const ENCODER = new TextEncoder();
const END_OF_ROWS = ENCODER.encode('}\n\n');

type LiveHead = Pick<LiveEvent, 'name' | 'id' | 'position'>;

function describe({ name, id, position }: LiveHead, { pieces, byteLength }: EncodedEvent): LiveEvent {
  return { pieces, byteLength, name, id, position, dataStart: renderHead({ name, id }).length };
}

export function* renderRows(read: LiveRows, place: Omit<LiveHead, 'name'>): Slices<LiveEvent> {
  const head = { ...place, name: 'rows' } as const;
  return describe(head, yield* encodeEvent(head, read.kind === 'whole' ? [read.body] : listRows(read.lines)));
}

/** Returns the event for a list of reads, which contains the id of the read before the data that all streams share. */
export function addReadId(event: LiveEvent, readId: string): EncodedEvent {
  const { name, id, dataStart } = event;
  const start = `event: ${name}\ndata: {"id":${JSON.stringify(readId)}`;
  if (name === 'reset') return encodeText(`${start}}\n\n`);
  const [first = END, ...others] = event.pieces;
  const opening = `${start},"eventId":${JSON.stringify(id)},${name === 'rows' ? '"rows":' : ''}`;
  // The data of a change is an object, whose members follow.
  const data = [first.subarray(name === 'rows' ? dataStart : dataStart + 1), ...others];
  const last = data.pop() ?? END;
  const ending = name === 'rows' ? [last.subarray(0, -END.length), END_OF_ROWS] : [last];
  const pieces = [ENCODER.encode(opening), ...data, ...ending];
  return { pieces, byteLength: pieces.reduce((sum, { length }) => sum + length, 0), shared: event };
}

/** A JSON array, with the white space that `json_agg` puts between rows. */
function* listRows(lines: readonly Uint8Array[]): Generator<Uint8Array> {
  yield ENCODER.encode('[');
  yield* separate(rowsOf(lines), ', \n ');
  yield ENCODER.encode(']');
}

function* rowsOf(lines: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const line of lines) yield readRow(line);
}

export function* renderChange(
  { upserted, deleted }: RowsDifference,
  key: LiveKey,
  place: Omit<LiveHead, 'name'>,
): Slices<LiveEvent> {
  const head = { ...place, name: 'change' } as const;
  return describe(head, yield* encodeEvent(head, listChanges()));

  function* listChanges(): Generator<Uint8Array> {
    yield ENCODER.encode('{"upsert": [');
    yield* separate(upserted, ', ');
    const keys = deleted.map((text) => renderKeyObject(parseKey(text), key));
    yield ENCODER.encode(`], "delete": [${keys.join(', ')}]}`);
  }
}

/** @param error a JSON object */
export function renderFailure(error: string): EncodedEvent {
  return renderEvent({ name: 'error', id: undefined, data: error });
}

/** The same for a read of a list. */
export function renderReadFailure(
  readId: string,
  { status, body }: { readonly status: number; readonly body: string },
): EncodedEvent {
  return renderFailure(`{"id":${JSON.stringify(readId)},"status":${status},"error":${body}}`);
}

function* separate(parts: Iterable<Uint8Array>, separator: string): Generator<Uint8Array> {
  const between = ENCODER.encode(separator);
  let isFirst = true;
  for (const part of parts) {
    if (!isFirst) yield between;
    isFirst = false;
    yield part;
  }
}

function renderKeyObject(values: readonly string[], key: LiveKey): string {
  const members = key.map(({ name, isNumber }, index) => {
    const value = values[index] ?? '';
    return `${JSON.stringify(name)}: ${isNumber ? value : JSON.stringify(value)}`;
  });
  return `{${members.join(', ')}}`;
}

/** Streams at the same position share its event. */
const positionEvents: WeakMap<LogPosition, EncodedEvent> = new WeakMap();

export function renderPosition(position: LogPosition): EncodedEvent {
  const known = positionEvents.get(position);
  if (known !== undefined) return known;
  const event = renderEvent({ name: 'position', id: undefined, data: renderLogPosition(position) });
  positionEvents.set(position, event);
  return event;
}

/** Returns both events as one, which is sent at once. @param event may be shared with other streams */
export function followByPosition(event: EncodedEvent, position: LogPosition): EncodedEvent {
  const following = renderPosition(position);
  return {
    pieces: [...event.pieces, ...following.pieces],
    byteLength: event.byteLength + following.byteLength,
    shared: event.shared ?? event,
  };
}

// Renders the events of a stream of rows (`beyond.md` §3.1b).
import type { LiveKey } from '../plan/plan-live.ts';
import type { Slices } from '../../../util/slices.ts';
import { encodeEvent, type EncodedEvent, renderEvent } from './event-text.ts';
import { parseKey, readRow, type RowsDifference } from './row-changes.ts';
import type { LiveRows } from './sent-rows.ts';

/** Tells the client to discard its rows. */
export const RESET: EncodedEvent = renderEvent({ name: 'reset', id: undefined, data: '' });
export const EXPIRED: EncodedEvent = renderEvent({ name: 'expired', id: undefined, data: '' });

const ENCODER = new TextEncoder();

export function renderRows(read: LiveRows, id: string): Slices<EncodedEvent> {
  return encodeEvent({ name: 'rows', id }, read.kind === 'whole' ? [read.body] : listRows(read.lines));
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

export function renderChange({ upserted, deleted }: RowsDifference, key: LiveKey, id: string): Slices<EncodedEvent> {
  return encodeEvent({ name: 'change', id }, listChanges());

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

// Renders the events of a stream of rows (`beyond.md` §3.1b).
import type { LiveKey } from '../plan/actions/plan-live.ts';
import { renderEvent } from './event-text.ts';
import { parseKey, type RowsDifference } from './row-changes.ts';

/** The client must discard what it has. */
export const RESET: Uint8Array = renderEvent({ name: 'reset', id: undefined, data: '' });
export const EXPIRED: Uint8Array = renderEvent({ name: 'expired', id: undefined, data: '' });

export function renderRows(rows: Iterable<string>, id: string): Uint8Array {
  return renderWhole(`[${[...rows].join(', \n ')}]`, id);
}

/** @param rows a JSON array */
export function renderWhole(rows: string, id: string): Uint8Array {
  return renderEvent({ name: 'rows', id, data: rows });
}

export function renderChange({ upserted, deleted }: RowsDifference, key: LiveKey, id: string): Uint8Array {
  const keys = deleted.map((text) => renderKeyObject(parseKey(text), key));
  return renderEvent({
    name: 'change',
    id,
    data: `{"upsert": [${upserted.join(', ')}], "delete": [${keys.join(', ')}]}`,
  });
}

/** @param error a JSON object */
export function renderFailure(error: string): Uint8Array {
  return renderEvent({ name: 'error', id: undefined, data: error });
}

function renderKeyObject(values: readonly string[], key: LiveKey): string {
  const members = key.map(({ name, isNumber }, index) => {
    const value = values[index] ?? '';
    return `${JSON.stringify(name)}: ${isNumber ? value : JSON.stringify(value)}`;
  });
  return `{${members.join(', ')}}`;
}

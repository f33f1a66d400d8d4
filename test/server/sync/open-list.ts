// Opens a list of reads with one stream (`beyond.md` §6.1).
import { type EventClient, openEvents } from '../../support/event-client.ts';

export interface ListedRead {
  readonly id?: unknown;
  readonly path?: unknown;
  readonly [member: string]: unknown;
}

export const LIST_TYPE = 'application/vnd.svc.batch+json';

export function openList(
  port: number,
  reads: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventClient> {
  const body = typeof reads === 'string' ? reads : JSON.stringify(reads);
  return openEvents(port, '/', { method: 'POST', headers: { 'Content-Type': LIST_TYPE, ...headers }, body });
}

export interface ListEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of one read, in their order. */
export function eventsOf(client: EventClient, id: string): readonly ListEvent[] {
  return client.events.flatMap(({ name, data }) => {
    const parsed = name === 'position' || data === '' ? {} : (JSON.parse(data) as Record<string, unknown>);
    return parsed['id'] === id ? [{ name, data: parsed }] : [];
  });
}

// Renders server-sent events in the format that the HTML standard defines.
export interface ServerEvent {
  /** Contains no line breaks. */
  readonly name: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Keeps the connection open while nothing happens, and sends the headers of a new stream. */
export const HEARTBEAT: Uint8Array = new TextEncoder().encode(':\n\n');

const LINE_BREAK = /\r\n|\r|\n/u;

export function renderEvent({ name, id, data }: ServerEvent): Uint8Array {
  const lines = LINE_BREAK.test(data) ? data.split(LINE_BREAK) : [data];
  const text = `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}${lines.map((line) => `data: ${line}\n`).join('')}\n`;
  return new TextEncoder().encode(text);
}

/** Tells the client how long to wait before it reconnects. */
export function renderRetry(milliseconds: number): Uint8Array {
  return new TextEncoder().encode(`retry: ${milliseconds}\n\n`);
}

// Parses server-sent events from text that arrives in pieces.

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  /** The latest id of the stream; undefined before the first. */
  readonly id: string | undefined;
}

export interface EventParser {
  /** Returns the events that this piece completes. */
  readonly push: (piece: string) => readonly StreamEvent[];
  /** The pause that the server wants before the next connection. */
  readonly retryMs: () => number | undefined;
}

interface Fields {
  name: string;
  data: string[];
}

/** @param id the latest one of an earlier connection */
export function createEventParser(id?: string): EventParser {
  let rest = '';
  let fields: Fields = { name: '', data: [] };
  let lastId = id;
  let retry: number | undefined;

  const read = (line: string): void => {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'event') fields.name = value;
    else if (field === 'data') fields.data.push(value);
    else if (field === 'id' && !value.includes('\0')) lastId = value;
    else if (field === 'retry' && /^\d+$/u.test(value)) retry = Number(value);
  };
  /** An event without data is none, as in browsers. */
  const finish = (): readonly StreamEvent[] => {
    const { name, data } = fields;
    fields = { name: '', data: [] };
    return data.length === 0 ? [] : [{ name: name === '' ? 'message' : name, data: data.join('\n'), id: lastId }];
  };

  return {
    push(piece) {
      const lines = (rest + piece).split(END_OF_LINE);
      rest = lines.pop() ?? '';
      return lines.flatMap((line) => {
        if (line === '') return finish();
        read(line);
        return [];
      });
    },
    retryMs: () => retry,
  };
}

/** A carriage return at the end of a piece may be followed by a newline in the next one. */
const END_OF_LINE = /\r\n|\n|\r(?!$)/u;

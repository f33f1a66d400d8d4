// Builds the messages of a PostgreSQL server.

export function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

export function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export const PARSED: Buffer = message('1');
export const BOUND: Buffer = message('2');

export function row(...columns: readonly (string | Uint8Array | null)[]): Buffer {
  const parts = columns.flatMap((column) => {
    if (column === null) return [int32(-1)];
    const bytes = Buffer.from(column);
    return [int32(bytes.length), bytes];
  });
  return message('D', int16(columns.length), ...parts);
}

/** Describes the columns of a result. */
export function describeRow(...columns: readonly (readonly [name: string, typeOid: number])[]): Buffer {
  const parts = columns.flatMap(([name, typeOid]) => {
    const rest = Buffer.alloc(18);
    rest.writeUInt32BE(typeOid, 6);
    return [text(name), rest];
  });
  return message('T', int16(columns.length), ...parts);
}

export function complete(tag: string): Buffer {
  return message('C', text(tag));
}

export function ready(status: 'I' | 'T' | 'E'): Buffer {
  return message('Z', Buffer.from(status));
}

export function error(fields: Readonly<Record<string, string>>): Buffer {
  return message('E', reportFields(fields));
}

export function notice(fields: Readonly<Record<string, string>>): Buffer {
  return message('N', reportFields(fields));
}

function reportFields(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat([...Object.entries(fields).map(([field, value]) => text(field + value)), Buffer.from([0])]);
}

export function parameterStatus(name: string, value: string): Buffer {
  return message('S', text(name), text(value));
}

export function notification(channel: string, payload: string): Buffer {
  return message('A', int32(4711), text(channel), text(payload));
}

/** Answer to a startup packet: authenticated without a password, ready. */
export function greeting(): Buffer {
  return Buffer.concat([message('R', int32(0)), message('K', int32(41), int32(42)), ready('I')]);
}

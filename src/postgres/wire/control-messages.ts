// Protocol messages sent outside a session's queries (TLS request, cancel request, Terminate) and those of replication.

export const TERMINATE: Buffer = Buffer.from([0x58, 0, 0, 0, 4]);

/** https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS */
export function encodeCancelRequest(processId: number, secretKey: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32BE(16, 0);
  bytes.writeInt32BE(80877102, 4);
  bytes.writeInt32BE(processId, 8);
  bytes.writeInt32BE(secretKey, 12);
  return bytes;
}

/** https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL */
export const TLS_REQUEST: Uint8Array = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47);

/** https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SIMPLE-QUERY */
export function encodeSimpleQuery(text: string): Buffer {
  return encodeMessage(0x51, Buffer.from(`${text}\0`));
}

/** A piece of a copy that the client sends. */
export function encodeCopyData(data: Uint8Array): Buffer {
  return encodeMessage(0x64, data);
}

function encodeMessage(type: number, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.writeUInt8(type, 0);
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.set(body, 5);
  return bytes;
}

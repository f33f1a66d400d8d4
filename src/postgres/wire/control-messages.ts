// Protocol messages sent outside a session's queries: TLS request, cancel request and Terminate.

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

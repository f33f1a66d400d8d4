// A TCP proxy between the server and PostgreSQL that parses the messages it relays. It shows each one to the test
// first, which may delay it or cut the connection so that it never arrives.
import { createConnection, type Socket } from 'node:net';
import { serveSockets, type SocketServer } from './listen.ts';

export interface WireMessage {
  /** Connections are numbered in the order of their arrival. */
  readonly connection: number;
  readonly from: 'client' | 'server';
  /** The type byte; empty for a client's first message, which has none. */
  readonly type: string;
  readonly content: string;
}

/** Delays the message until the promise resolves; `cut` drops it and closes both ends of the connection. */
type Watch = (message: WireMessage, cut: () => void) => void | Promise<void>;

export interface MessageProxy extends SocketServer {
  /** Passes every later message to `watch`; undefined stops watching. */
  watch(watch: Watch | undefined): void;
}

/** Does not support TLS: the client must not request it. */
export async function startMessageProxy(target: { host: string; port: number }): Promise<MessageProxy> {
  let watch: Watch | undefined;
  let connections = 0;
  const server = await serveSockets((client) => {
    const connection = (connections += 1);
    const upstream = createConnection({ ...target, noDelay: true }).on('error', () => {});
    for (const socket of [client, upstream])
      socket.on('close', () => [client, upstream].forEach((end) => end.destroy()));
    relay({ connection, source: client, sink: upstream, from: 'client' }, () => watch);
    relay({ connection, source: upstream, sink: client, from: 'server' }, () => watch);
  });
  return { ...server, watch: (next) => (watch = next) };
}

interface Direction extends Pick<WireMessage, 'connection' | 'from'> {
  readonly source: Socket;
  readonly sink: Socket;
}

function relay({ connection, from, source, sink }: Direction, current: () => Watch | undefined): void {
  let pending = Buffer.alloc(0);
  let typeLength = from === 'client' ? 0 : 1;
  let turn: Promise<void> = Promise.resolve();
  const cut = (): void => [source, sink].forEach((end) => end.destroy());
  const pass = async (bytes: Buffer, start: number): Promise<void> => {
    const content = bytes.subarray(start + 4).toString('latin1');
    await current()?.({ connection, from, type: bytes.subarray(0, start).toString('latin1'), content }, cut);
    if (!sink.destroyed) sink.write(bytes);
  };
  source.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= typeLength + 4) {
      const length = typeLength + pending.readInt32BE(typeLength);
      if (pending.length < length) return;
      const message = pending.subarray(0, length);
      const start = typeLength;
      turn = turn.then(() => pass(message, start));
      pending = pending.subarray(length);
      typeLength = 1;
    }
  });
}

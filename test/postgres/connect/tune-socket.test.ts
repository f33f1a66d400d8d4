// Reads the TCP options of a connection's socket back from the system, on Linux.
import koffi from 'koffi';
import { expect, test } from 'vitest';
import { type DriverOptions, openSocket } from '../../../src/postgres/connect/driver.ts';
import { type HandshakeServer, startHandshakeServer } from '../support/handshake-server.ts';
import { greeting } from '../support/server-messages.ts';
import { use } from '../../support/use.ts';

const [IPPROTO_TCP, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_USER_TIMEOUT] = [6, 4, 5, 6, 18];
const GIVEN = { keepAliveInterval: 7, keepAliveCount: 3, userTimeout: 4321 };
const NOTHING = { keepAliveInterval: undefined, keepAliveCount: undefined, userTimeout: undefined };

let server: HandshakeServer;

/** Idle time, interval, count, user timeout. */
async function readBack(changes: Partial<DriverOptions>): Promise<readonly number[]> {
  server = await use(startHandshakeServer({ hasTls: true, answer: (socket) => socket.write(greeting()) }));
  const opened = await openSocket({
    host: '127.0.0.1',
    port: server.port,
    user: 'gate',
    password: undefined,
    database: 'postgres',
    applicationName: 'tuned',
    options: undefined,
    connectTimeout: 0,
    reachTimeout: 0,
    hasKeepAlive: true,
    keepAliveIdle: 10_000,
    tuning: NOTHING,
    tls: undefined,
    tlsNegotiation: 'postgres',
    isChannelBound: false,
    ...changes,
  });
  if (!opened.ok) throw new Error(opened.error.text);
  const { socket } = opened.value;
  const { fd } = Reflect.get(socket, '_handle') as { readonly fd: number };
  const getOption = koffi.load(null).func('getsockopt', 'int', ['int', 'int', 'int', 'void *', 'void *']);
  const values = [TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_USER_TIMEOUT].map((name) => {
    const value = new Int32Array(1);
    expect(getOption(fd, IPPROTO_TCP, name, value, new Uint32Array([4]))).toBe(0);
    return value[0] ?? -1;
  });
  socket.destroy();
  return values;
}

test('TCP options of the connection string are set', async () => {
  expect(await readBack({ tuning: GIVEN })).toStrictEqual([10, 7, 3, 4321]);
});

test('TCP options are set with TLS too', async () => {
  expect(await readBack({ tuning: GIVEN, tls: { rejectUnauthorized: false } })).toStrictEqual([10, 7, 3, 4321]);
});

test('TCP options that the connection string omits keep the defaults of Node', async () => {
  expect(await readBack({ tuning: NOTHING })).toStrictEqual([10, 1, 10, 0]);
});

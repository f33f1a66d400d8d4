// Opens connections to a real PostgreSQL, and to servers with other handshakes.
import { chmod, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { connect, type ConnectOptions } from '../../../src/postgres/session/open-session.ts';
import { openSocket } from '../../../src/postgres/connect/driver.ts';
import { adminUri } from '../../support/database.ts';
import { connectOptions, openSession, rowsOf } from '../support/connect-test.ts';
import {
  CERTIFICATE_FILE,
  startHandshakeServer,
  type Handshake,
  type HandshakeServer,
} from '../support/handshake-server.ts';
import { error, greeting, int32, message } from '../support/server-messages.ts';
import { useFolder } from '../../support/use.ts';

const real = new URL(adminUri());
const ADDRESS = {
  host: real.hostname,
  port: real.port,
  user: decodeURIComponent(real.username),
  password: decodeURIComponent(real.password),
};

const servers: HandshakeServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function openServer(handshake: Partial<Handshake>): Promise<HandshakeServer> {
  const server = await startHandshakeServer({
    hasTls: false,
    answer: (socket) => socket.write(greeting()),
    ...handshake,
  });
  servers.push(server);
  return server;
}

async function failureOf(connectionString: string, changes: Partial<ConnectOptions> = {}): Promise<string | undefined> {
  const connected = await connect(connectOptions(connectionString, changes));
  if (connected.ok || connected.error.kind !== 'cannotConnect') throw new Error('expected cannotConnect');
  return connected.error.details;
}

describe('the driver', () => {
  test('leaves its socket and the cancel key where Rowhouse expects them', async () => {
    const opened = await openSocket({
      host: ADDRESS.host,
      port: Number(ADDRESS.port),
      user: ADDRESS.user,
      password: ADDRESS.password,
      database: 'postgres',
      applicationName: 'guard',
      options: undefined,
      connectTimeout: 0,
      reachTimeout: 0,
      hasKeepAlive: true,
      keepAliveIdle: 0,
      tuning: { keepAliveInterval: undefined, keepAliveCount: undefined, userTimeout: undefined },
      tls: undefined,
      tlsNegotiation: 'postgres',
      isChannelBound: false,
    });
    if (!opened.ok) throw new Error(opened.error.text);
    expect(opened.value.socket).toBeInstanceOf(Socket);
    expect(opened.value.socket.listenerCount('data')).toBe(0);
    expect(Object.values(opened.value.cancelKey ?? {}).map((part) => typeof part)).toStrictEqual(['number', 'number']);
    opened.value.socket.destroy();
  });

  test('reports the process id of the session', async () => {
    const session = await openSession(adminUri());
    expect(await rowsOf(session, 'select pg_backend_pid()')).toStrictEqual([[String(session.cancelKey?.processId)]]);
    expect(session.isUsable).toBe(true);
    await session.close();
  });
});

describe('O169 O170 connection strings', () => {
  const PAIRS = `host=${ADDRESS.host} port=${ADDRESS.port} user='${ADDRESS.user}' password='${ADDRESS.password}' dbname=template1`;
  const LOOK = `select current_database(), current_setting('application_name'), current_setting('client_encoding'), current_setting('work_mem')`;

  test.each<[string, string, Partial<ConnectOptions>, readonly string[]]>([
    ['a URI', adminUri(), {}, ['postgres', 'rowhouse 0.1', 'UTF8', '4MB']],
    ['key=value pairs', PAIRS, {}, ['template1', 'rowhouse 0.1', 'UTF8', '4MB']],
    [
      'application name and options of the string',
      `${PAIRS} application_name=mine options='-c work_mem=5MB -c client_encoding=latin1'`,
      {},
      ['template1', 'mine', 'UTF8', '5MB'],
    ],
    [
      'only the environment',
      'postgresql://',
      {
        environment: {
          PGHOST: ADDRESS.host,
          PGPORT: ADDRESS.port,
          PGUSER: ADDRESS.user,
          PGPASSWORD: ADDRESS.password,
          PGDATABASE: 'template1',
          PGAPPNAME: 'ambient',
          PGOPTIONS: '-c work_mem=6MB',
        },
      },
      ['template1', 'ambient', 'UTF8', '6MB'],
    ],
  ])('%s', async (_, connectionString, changes, expected) => {
    const session = await openSession(connectionString, changes);
    expect(await rowsOf(session, LOOK)).toStrictEqual([expected]);
    await session.close();
  });

  test.each(['host', 'postgresql://h?a=b', 'port=x', 'sslmode=maybe'])('%s cannot connect', async (text) => {
    expect(await failureOf(text)).toMatch(/missing|invalid/);
  });
});

describe('O171 several hosts', () => {
  const { username, password, host } = real;
  const reachable = `postgresql://${username}:${password}@127.0.0.1:1,${host}/postgres`;

  test('the next host is tried if one is unreachable', async () => {
    const session = await openSession(reachable);
    expect(session.target.port).toBe(Number(real.port));
    await session.close();
  });

  test.each([
    ['read-write', '', /^connected$/],
    ['primary', '', /^connected$/],
    ['any', '-c default_transaction_read_only=on', /^connected$/],
    ['read-only', '-c default_transaction_read_only=on', /^connected$/],
    ['prefer-standby', '', /^connected$/],
    ['read-only', '', /the session is not read-only/],
    ['standby', '', /the server is not a standby/],
    ['read-write', '-c default_transaction_read_only=on', /the session is read-only/],
  ])('target_session_attrs=%s with options %j: %s', async (attribute, PGOPTIONS, reason) => {
    const connectionString = `${adminUri()}?target_session_attrs=${attribute}`;
    const connected = await connect(connectOptions(connectionString, { environment: { PGOPTIONS } }));
    expect(connected.ok ? 'connected' : JSON.stringify(connected.error)).toMatch(reason);
    if (connected.ok) await connected.value.close();
  });

  test('the kind passed to connect overrides the connection string', async () => {
    const failure = await failureOf(`${adminUri()}?target_session_attrs=primary`, { targetSession: 'standby' });
    expect(failure).toBe(
      `connection to server at "${real.hostname}", port ${real.port} failed: the server is not a standby`,
    );
  });

  test('if no host qualifies, the error contains the reason for each', async () => {
    const closed = await openServer({ answer: (socket) => socket.destroy() });
    const starting = await openServer({
      answer: (socket) => socket.end(error({ S: 'FATAL', V: 'FATAL', C: '57P03', M: 'the database is starting up' })),
    });
    expect(await failureOf(`host=127.0.0.1 port=1`)).toBe(
      'connection to server at "127.0.0.1", port 1 failed: connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(await failureOf('host=localhost port=1')).toMatch(/failed: (connect ECONNREFUSED \S+:1(, )?)+$/);
    expect(await failureOf(`host=127.0.0.1,127.0.0.1 port=${closed.port},${starting.port}`)).toBe(
      [
        `connection to server at "127.0.0.1", port ${closed.port} failed: Connection terminated unexpectedly`,
        `connection to server at "127.0.0.1", port ${starting.port} failed: FATAL:  the database is starting up`,
      ].join('\n'),
    );
  });

  test.each(['read-write', 'primary'])(
    'an unresponsive host does not delay the search for the %s host',
    async (kind) => {
      const silent = await openServer({ answer: () => {} });
      const hosts = `host=127.0.0.1,127.0.0.1,${real.hostname} port=${silent.port},1,${real.port}`;
      const session = await openSession(
        `${hosts} user=${username} target_session_attrs=${kind} sslmode=disable password='${password}'`,
      );
      expect(session.target.port).toBe(Number(real.port));
      await session.close();
      expect(silent.connections()).toBe(1);
    },
  );

  test('the first of several eligible hosts is used, even if it is slow', async () => {
    const slow = await openServer({ answer: (socket) => setTimeout(() => socket.write(greeting()), 600) });
    const hosts = `host=127.0.0.1,${real.hostname} port=${slow.port},${real.port}`;
    const session = await openSession(`${hosts} user=${username} sslmode=disable password='${password}'`);
    expect(session.target.port).toBe(slow.port);
    await session.close();
  });

  test('a rejected password is not tried on the next host', async () => {
    const first = await openServer({
      answer: (socket, packet) => {
        const isPassword = packet.toString('latin1', 0, 1) === 'p';
        const refusal = error({ S: 'FATAL', V: 'FATAL', C: '28P01', M: 'password authentication failed for user "u"' });
        if (isPassword) socket.end(refusal);
        else socket.write(message('R', int32(3)));
      },
    });
    const second = await openServer({});
    const hosts = `host=127.0.0.1,127.0.0.1 port=${first.port},${second.port} sslmode=disable user=u`;
    expect(await failureOf(`${hosts} password=wrong`)).toBe(
      `connection to server at "127.0.0.1", port ${first.port} failed: FATAL:  password authentication failed for user "u"`,
    );
    expect(second.connections()).toBe(0);
    const withoutPassword = `host=127.0.0.1 port=${first.port} sslmode=disable user=u passfile=/dev/null`;
    expect(await failureOf(withoutPassword)).toMatch(/failed: no password supplied$/);
  });

  test('the password is read from the password file if no other user can read it', async () => {
    const passwords: string[] = [];
    const server = await openServer({
      answer: (socket, packet) => {
        if (packet.toString('latin1', 0, 1) !== 'p') return socket.write(message('R', int32(3)));
        passwords.push(packet.toString('utf8', 5, packet.length - 1));
        return socket.write(greeting());
      },
    });
    const folder = useFolder();
    const file = path.join(folder, 'pass');
    await writeFile(file, `127.0.0.1:${server.port}:db:u:from file`, { mode: 0o600 });
    const given = `host=127.0.0.1 port=${server.port} dbname=db user=u sslmode=disable passfile=${file}`;
    const session = await openSession(given);
    expect(passwords).toStrictEqual(['from file']);
    await session.close();
    await chmod(file, 0o644);
    expect(await failureOf(given)).toMatch(/no password supplied$/);
  });

  test('connect_timeout limits the wait for a silent server', async () => {
    const silent = await openServer({ answer: () => {} });
    expect(await failureOf(`host=127.0.0.1 port=${silent.port} connect_timeout=1 sslmode=disable`)).toMatch(
      /timeout expired$/,
    );
  });
});

describe('TLS', () => {
  const trusted = `sslrootcert=${CERTIFICATE_FILE}`;

  test.each([
    ['connects to a server with TLS by default', true, '', 1],
    ['connects to a server with TLS and verifies name and certificate', true, `sslmode=verify-full ${trusted}`, 1],
    ['connects to a server without TLS in the second attempt by default', false, '', 2],
    ['connects to a server without TLS if TLS is only allowed', false, 'sslmode=allow', 1],
  ])('%s', async (_, hasTls, settings, connections) => {
    const server = await openServer({ hasTls });
    const session = await openSession(`host=localhost hostaddr=127.0.0.1 port=${server.port} user=u ${settings}`);
    expect(session.cancelKey).toStrictEqual({ processId: 41, secretKey: 42 });
    expect(server.connections()).toBe(connections);
    await session.close();
  });

  test.each([
    ['a server without TLS if TLS is required', false, 'sslmode=require', /does not support SSL connections$/],
    ['an untrusted certificate', true, 'sslmode=verify-full sslrootcert=system', /self-signed certificate(?:;|$)/],
    ['a certificate for another name', true, `host=other.host sslmode=verify-full ${trusted}`, /other\.host/],
    ['a missing root certificate', true, 'sslmode=verify-ca sslrootcert=/none.crt', /none\.crt/],
  ])('%s fails', async (_, hasTls, settings, reason) => {
    const server = await openServer({ hasTls });
    expect(await failureOf(`host=localhost hostaddr=127.0.0.1 port=${server.port} user=u ${settings}`)).toMatch(reason);
  });

  test('the server name does not matter if only the certificate is verified', async () => {
    const server = await openServer({ hasTls: true });
    const session = await openSession(
      `host=other.host hostaddr=127.0.0.1 port=${server.port} user=u sslmode=verify-ca ${trusted}`,
    );
    expect(session.isUsable).toBe(true);
    await session.close();
  });
});

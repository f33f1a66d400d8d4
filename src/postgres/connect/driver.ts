// Opens an authenticated socket that is ready for queries. The only file that uses the driver: `pg` performs the TLS
// handshake and authentication, then hands over its socket.
import { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../contract/result.ts';
import { loadDriver } from './load-driver.ts';
import { ReadingSocket } from './reading-socket.ts';
import { loadTuner, type SocketTuning } from './tune-socket.ts';

export interface DriverOptions {
  /** Host name, address or socket directory. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  readonly applicationName: string;
  readonly options: string | undefined;
  /** Milliseconds; 0 disables the timeout. */
  readonly connectTimeout: number;
  /** Milliseconds that the TCP connection may take; 0 disables the timeout. */
  readonly reachTimeout: number;
  readonly hasKeepAlive: boolean;
  /** Milliseconds. */
  readonly keepAliveIdle: number;
  readonly tuning: SocketTuning;
  /** `undefined` disables TLS. */
  readonly tls: ConnectionOptions | undefined;
  readonly tlsNegotiation: 'postgres' | 'direct';
  readonly isChannelBound: boolean;
  /** Opens a connection for logical replication, which understands simple queries only; false by default. */
  readonly isReplicating?: boolean;
}

/** Identifies the session in a cancel request. */
export interface CancelKey {
  readonly processId: number;
  readonly secretKey: number;
}

export interface DriverSocket {
  readonly socket: Socket;
  /** `undefined` if a pooler provided none. */
  readonly cancelKey: CancelKey | undefined;
}

export interface DriverFailure {
  /** The message of the server, the driver or the operating system. */
  readonly text: string;
  /** Set only if the server rejected the connection. */
  readonly sqlstate: string | undefined;
  readonly isTlsUnsupported: boolean;
}

const TLS_UNSUPPORTED = 'The server does not support SSL connections';

export async function openSocket(options: DriverOptions): Promise<Result<DriverSocket, DriverFailure>> {
  const tune = await loadTuner(options.tuning);
  const client = createClient(options);
  // The session handles later socket errors; without a listener the driver would throw them.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    client.connection.stream.destroy();
    return fail(describeFailure(error));
  }
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) throw new Error('the driver no longer keeps its socket in connection.stream');
  stream.removeAllListeners('data');
  tune?.(stream);
  return ok({ socket: stream, cancelKey: readCancelKey(client) });
}

/** The system retries a TCP connection after 1, 3, 7, 15 … seconds, so it notices a recovered host late. */
function createSocket({ reachTimeout, tls }: DriverOptions): Socket {
  // TLS sockets allocate their own buffers for decrypted data.
  const socket = tls === undefined ? new ReadingSocket() : new Socket();
  if (reachTimeout === 0) return socket;
  const timer = setTimeout(() => socket.destroy(new Error('timeout expired')), reachTimeout);
  const stop = (): void => clearTimeout(timer);
  return socket.once('connect', stop).once('close', stop);
}

function createClient(options: DriverOptions): Client {
  const { Client: DriverClient } = loadDriver();
  return new DriverClient({
    host: options.host,
    port: options.port,
    user: options.user,
    database: options.database,
    // As a function, so that the driver does not search for a missing password in other places.
    password: () => options.password ?? Promise.reject(new Error('no password supplied')),
    application_name: options.applicationName,
    options: options.options,
    stream: () => createSocket(options),
    connectionTimeoutMillis: options.connectTimeout,
    keepAlive: options.hasKeepAlive,
    keepAliveInitialDelayMillis: options.keepAliveIdle,
    ssl: options.tls ?? false,
    sslnegotiation: options.tls === undefined ? 'postgres' : options.tlsNegotiation,
    enableChannelBinding: options.tls !== undefined && options.isChannelBound,
    ...(options.isReplicating === true && { replication: 'database' }),
  });
}

function readCancelKey(client: Client): CancelKey | undefined {
  const processId: unknown = Reflect.get(client, 'processID');
  const secretKey: unknown = Reflect.get(client, 'secretKey');
  if (typeof processId !== 'number' || typeof secretKey !== 'number') return undefined;
  return { processId, secretKey };
}

function describeFailure(error: unknown): DriverFailure {
  if (!(error instanceof Error)) return { text: String(error), sqlstate: undefined, isTlsUnsupported: false };
  const severity = readText(error, 'severity');
  return {
    text: severity === undefined ? describeError(error) : `${severity}:  ${error.message}`,
    // System errors also have a `code`; only server errors have a severity.
    sqlstate: severity === undefined ? undefined : readText(error, 'code'),
    isTlsUnsupported: error.message === TLS_UNSUPPORTED,
  };
}

/** Joins the errors of an attempt that tried several addresses. */
function describeError(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors.map((reason: unknown) => (reason instanceof Error ? reason.message : String(reason))).join(', ');
}

function readText(error: Error, field: string): string | undefined {
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : undefined;
}

// Sends one step of a case as raw bytes and parses the response. Uses `node:net`, because cases send requests that HTTP
// clients reject.
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import type { ConformanceStep } from './conformance-case.ts';

export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

export interface RawResponse {
  readonly status: number;
  readonly reason: string;
  /** All values, by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

export async function sendStep(
  port: number,
  step: ConformanceStep,
  earlier: readonly RawResponse[],
): Promise<RawResponse> {
  const method = step.method ?? 'GET';
  const body = encodeBody(step);
  const given = step.headers ?? {};
  const pairs = Array.isArray(given) ? (given as readonly (readonly [string, string])[]) : Object.entries(given);
  const lines = [
    `${method} ${encodePath(resolvePath(step, earlier))} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...pairs.map(([name, value]) => `${name}: ${fillPlaceholders(String(value))}`),
    ...(body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method)
      ? [`Content-Length: ${body?.length ?? 0}`]
      : []),
    'Connection: close',
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  return parseResponse(await exchange(port, Buffer.concat([head, body ?? Buffer.alloc(0)])), method);
}

function encodeBody({ body, body_b64: base64 }: ConformanceStep): Buffer | undefined {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  if (body === undefined || body === null) return undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

function resolvePath(step: ConformanceStep, earlier: readonly RawResponse[]): string {
  if (step.path !== undefined) return step.path;
  const [index, header] = step.path_from_header ?? [0, ''];
  return earlier[index]?.headers.get(header.toLowerCase())?.[0] ?? '/';
}

/** Percent-encodes characters that a request line must not contain, as the address bar of a browser does. */
function encodePath(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]|["<>#[\]{}\\^|`]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

function fillPlaceholders(text: string): string {
  return text
    .replaceAll(/@@NOW([+-]\d+)@@/gu, (_, offset: string) => String(Math.floor(Date.now() / 1000) + Number(offset)))
    .replaceAll(/@@JWT:(\{.*?\})@@/gu, (_, claims: string) => signToken(JSON.parse(claims)));
}

function signToken(claims: unknown, secret: string = SECRET): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
}

function exchange(port: number, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer in 30 s')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

function parseResponse(bytes: Buffer, method: string): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`no HTTP response: ${bytes.toString('latin1').slice(0, 200)}`);
  const [statusLine = '', ...headerLines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/u.exec(statusLine) ?? [];
  const headers = new Map<string, string[]>();
  for (const line of headerLines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(':') + 1).trim()]);
  }
  const body = bytes.subarray(end + 4);
  const length = headers.get('content-length')?.[0];
  if (method !== 'HEAD' && length !== undefined && Number(length) !== body.length)
    throw new Error(`Content-Length ${length}, but ${body.length} bytes were received`);
  return { status: Number(status), reason, headers, body };
}

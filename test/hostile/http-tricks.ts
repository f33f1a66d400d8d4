// Bytes that are not quite HTTP, or unusual HTTP. Each has its allowed statuses, in the order of the responses; an
// empty list if the server may just close the connection.

export interface HttpTrick {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  /** Each response has one of these statuses. */
  readonly statuses: readonly number[];
  /** Maximum number of responses: one more would be a request that a proxy did not see. */
  readonly answers: number;
}

const HEAD = 'GET /things?limit=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
const POST =
  'POST /notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: tx=rollback\r\nContent-Type: application/json\r\n';
const SMUGGLED = 'GET /concealed HTTP/1.1\r\nHost: x\r\n\r\n';
const REFUSED = [400];

function get(more: string): string {
  return `${HEAD}${more}\r\n`;
}

const FRAMING: readonly HttpTrick[] = [
  {
    name: 'a length and chunked encoding',
    bytes: `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    statuses: REFUSED,
    answers: 1,
  },
  {
    name: 'two lengths',
    bytes: `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${SMUGGLED}`,
    statuses: REFUSED,
    answers: 1,
  },
  {
    name: 'a length with a sign',
    bytes: `${POST}Content-Length: +2\r\n\r\n{}${SMUGGLED}`,
    statuses: REFUSED,
    answers: 1,
  },
  { name: 'a negative length', bytes: `${POST}Content-Length: -1\r\n\r\n{}`, statuses: REFUSED, answers: 1 },
  {
    name: 'a length beyond the number range',
    bytes: `${POST}Content-Length: 99999999999999999999\r\n\r\n{}`,
    statuses: [400, 413],
    answers: 1,
  },
  { name: 'a length in hexadecimal', bytes: `${POST}Content-Length: 0x2\r\n\r\n{}`, statuses: REFUSED, answers: 1 },
  {
    name: 'chunked in capitals with a blank',
    bytes: `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    statuses: REFUSED,
    answers: 1,
  },
  {
    name: 'an unknown encoding',
    bytes: `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    statuses: [400, 501],
    answers: 1,
  },
  {
    name: 'chunked not as the last encoding',
    bytes: `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    statuses: [400, 501],
    answers: 1,
  },
  {
    name: 'a chunk size beyond the number range',
    bytes: `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`,
    statuses: [400, 413],
    answers: 1,
  },
  {
    name: 'a negative chunk size',
    bytes: `${POST}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`,
    statuses: REFUSED,
    answers: 1,
  },
  {
    name: 'a long chunk extension',
    bytes: `${POST}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
    statuses: [201, 400, 413, 431],
    answers: 1,
  },
  {
    name: 'lines that end in LF',
    bytes: `GET /things?limit=0 HTTP/1.1\nHost: x\n\n${SMUGGLED}`,
    statuses: REFUSED,
    answers: 1,
  },
  { name: 'a folded header', bytes: get('X-A: 1\r\n 2\r\n'), statuses: [200, 400], answers: 1 },
  { name: 'a header without a name', bytes: get(': x\r\n'), statuses: REFUSED, answers: 1 },
  { name: 'a header with a blank in its name', bytes: get('X A: x\r\n'), statuses: REFUSED, answers: 1 },
  { name: 'NUL in a header', bytes: get('X-A: a\0b\r\n'), statuses: REFUSED, answers: 1 },
  { name: 'an unexpected body', bytes: `${HEAD}Content-Length: 5\r\n\r\nhello`, statuses: [200], answers: 1 },
  {
    name: 'trailers',
    bytes: `${POST}Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
    statuses: [201],
    answers: 1,
  },
];

const HEADS: readonly HttpTrick[] = [
  { name: 'no Host header', bytes: 'GET /things HTTP/1.1\r\n\r\n', statuses: REFUSED, answers: 1 },
  {
    name: 'two Host headers',
    bytes: 'GET /things HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    statuses: REFUSED,
    answers: 1,
  },
  { name: 'too many headers', bytes: get('X-A: 1\r\n'.repeat(5000)), statuses: [431], answers: 1 },
  {
    name: 'a token after too many headers',
    bytes: get(`${'X-A: 1\r\n'.repeat(1100)}Authorization: Bearer garbage\r\n`),
    statuses: [401, 431],
    answers: 1,
  },
  { name: 'headers too large', bytes: get(`X-A: ${'x'.repeat(300_000)}\r\n`), statuses: [431], answers: 1 },
  { name: 'HTTP/0.9', bytes: 'GET /things\r\n\r\n', statuses: REFUSED, answers: 1 },
  { name: 'HTTP/1.0', bytes: 'GET /things?limit=0 HTTP/1.0\r\n\r\n', statuses: [200], answers: 1 },
  { name: 'HTTP/9.9', bytes: 'GET /things HTTP/9.9\r\nHost: x\r\n\r\n', statuses: [400, 505], answers: 1 },
  { name: 'HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', statuses: [400, 505], answers: 1 },
  { name: 'TLS', bytes: Uint8Array.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 3]), statuses: REFUSED, answers: 1 },
  {
    name: 'an unknown method',
    bytes: 'BREW /things HTTP/1.1\r\nHost: x\r\n\r\n',
    statuses: [400, 405, 501],
    answers: 1,
  },
  { name: 'a method with a quote', bytes: 'G"T /things HTTP/1.1\r\nHost: x\r\n\r\n', statuses: REFUSED, answers: 1 },
  {
    name: 'a long method',
    bytes: `${'A'.repeat(50_000)} / HTTP/1.1\r\nHost: x\r\n\r\n`,
    statuses: [400, 405, 431],
    answers: 1,
  },
  {
    name: 'TRACE',
    bytes: 'TRACE /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [405],
    answers: 1,
  },
  { name: 'CONNECT', bytes: 'CONNECT evil:443 HTTP/1.1\r\nHost: x\r\n\r\n', statuses: [400, 404, 405], answers: 1 },
  {
    name: 'an absolute target',
    bytes: 'GET http://evil/things?limit=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [200],
    answers: 1,
  },
  {
    name: 'the target *',
    bytes: 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [200, 400, 404],
    answers: 1,
  },
  {
    name: 'a target with a fragment',
    bytes: 'GET /things?limit=0#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [200, 400],
    answers: 1,
  },
  {
    name: 'a target with raw bytes',
    bytes: Buffer.from('GET /things?name=eq.\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'latin1'),
    statuses: [200, 400],
    answers: 1,
  },
  {
    name: 'a target with a quote for the log',
    bytes: 'GET /th"ings?x="y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [400, 404],
    answers: 1,
  },
  {
    name: 'dots in the path',
    bytes: 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [404],
    answers: 1,
  },
  {
    name: 'slashes',
    bytes: 'GET //things//?limit=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    statuses: [404],
    answers: 1,
  },
  { name: 'an upgrade', bytes: get('Connection: Upgrade\r\nUpgrade: websocket\r\n'), statuses: [200, 400], answers: 1 },
  {
    name: 'an upgrade to HTTP/2',
    bytes: get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
    statuses: [200, 400],
    answers: 1,
  },
  { name: 'an odd expectation', bytes: get('Expect: 200-maybe\r\n'), statuses: [200, 417], answers: 1 },
  { name: 'an overridden method', bytes: get('X-HTTP-Method-Override: DELETE\r\n'), statuses: [200], answers: 1 },
  {
    name: 'a spoofed address',
    bytes: get('X-Forwarded-For: 127.0.0.1\r\nX-Real-IP: 127.0.0.1\r\n'),
    statuses: [200],
    answers: 1,
  },
  {
    name: 'a condition',
    bytes: get('If-None-Match: *\r\nIf-Modified-Since: garbage\r\n'),
    statuses: [200, 304, 412],
    answers: 1,
  },
];

export const HTTP_TRICKS: readonly HttpTrick[] = [...FRAMING, ...HEADS];

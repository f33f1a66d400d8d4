import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { parseTarget } from '../../src/http/receive/read-head.ts';
import { LogClock, Logger, type LogSettings } from '../../src/observe/logger.ts';
import { renderMetrics } from '../../src/observe/metrics.ts';
import { renderJsonLine, renderJsonReport } from '../../src/observe/json-lines.ts';
import { renderAccessLine, type RequestReport } from '../../src/observe/request-report.ts';

const REPORT: RequestReport = {
  request: { method: 'GET', path: '/berth', rawQuery: '', headers: [], body: new Uint8Array() },
  client: { address: '::1', httpVersion: '1.1' },
  status: 200,
  bytes: undefined,
  role: undefined,
  failure: undefined,
  script: undefined,
  legacyNames: [],
  milliseconds: 1,
};

test('O205 times in log lines are local, with the offset from UTC', () => {
  const clock = new LogClock();
  expect(clock.format(Date.UTC(2027, 4, 6, 8, 16, 11))).toMatch(/^0[5-7]\/May\/2027:\d\d:\d\d:11 [+-]\d{4}$/u);
  const [first, same, next] = [1000, 1999, 2000].map((now) => clock.format(now));
  expect([first === same, first === next]).toEqual([true, false]);
});

test('O198 clients cannot forge lines or escape from quotes', () => {
  const headers = [['user-agent', 'a"\\\u0007']] as const;
  const request = { ...REPORT.request, headers };
  expect(renderAccessLine({ ...REPORT, request, role: 'r\nx' }, 'T')).toBe(
    String.raw`::1 - r\x0ax [T] "GET /berth HTTP/1.1" 200 - "" "a\"\\\x07"`,
  );
});

/** Line feed, escape, DEL, a C1 line end, Unicode line separators, and a bidirectional override. */
const HOSTILE = 'a\n\u001b[2J\u007f\u0085\u2028\u2029\u202e"\\';
/** Characters that affect a terminal or end a line. */
const MEANINGFUL = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;

test('O198 method and target cannot escape from quotes, whatever they contain', () => {
  const request = { ...REPORT.request, method: 'GE"T', path: `/${HOSTILE}`, rawQuery: 'x="\u0000&é=\t' };
  expect(renderAccessLine({ ...REPORT, request }, 'T')).toBe(
    String.raw`::1 - - [T] "GE\"T /a\x0a\x1b[2J\x7f\x85\u2028\u2029\u202e\"\\?x=\"\x00&é=\x09 HTTP/1.1" 200 - "" ""`,
  );
});

test('a JSON log line is one line of valid JSON that contains exactly what was sent', () => {
  const headers = ['referer', 'user-agent', 'x-request-id'].map((name) => [name, HOSTILE] as const);
  const request = { ...REPORT.request, method: HOSTILE, path: `/${HOSTILE}`, rawQuery: HOSTILE, headers };
  const line = renderJsonReport(
    { ...REPORT, request, role: HOSTILE },
    { now: 0, level: 'info', traceHeader: 'X-Request-Id', newRequestId: () => '', statements: [HOSTILE] },
  );
  expect(line).not.toMatch(MEANINGFUL);
  expect(JSON.parse(line)).toMatchObject({
    message: `${HOSTILE} /${HOSTILE}?${HOSTILE} 200`,
    requestId: HOSTILE,
    role: HOSTILE,
    method: HOSTILE,
    path: `/${HOSTILE}?${HOSTILE}`,
    referer: HOSTILE,
    userAgent: HOSTILE,
    sql: [HOSTILE],
  });
  const plain = renderJsonLine({ now: 0, level: 'info', event: 'e', message: HOSTILE });
  expect(plain).not.toMatch(MEANINGFUL);
  expect(JSON.parse(plain)).toMatchObject({ message: HOSTILE });
});

test('a diagnostic log line is one line, and JSON in it keeps its meaning', () => {
  const lines: string[] = [];
  const logger = new Logger(
    { logFormat: 'text', logLevel: 'info', logQuery: false, serverTraceHeader: undefined },
    {
      product: PRODUCT,
      dialect: SVC_DIALECT,
      output: { writeOut: () => {}, writeError: (line) => lines.push(line) },
      now: () => 0,
      newRequestId: () => '',
      debounce: (write) => write(),
    },
  );
  const request = { ...REPORT.request, path: `/${HOSTILE}` };
  const report = { sqlstate: 'XX000', message: HOSTILE, detail: undefined, hint: undefined };
  const failure = {
    error: { kind: 'database', report },
    status: 500,
    reason: undefined,
    code: 'XX000',
    message: HOSTILE,
    details: undefined,
    hint: undefined,
    headers: [],
  } as const;
  logger.report({ ...REPORT, request, status: 500, failure, legacyNames: [{ target: HOSTILE, alias: HOSTILE }] });
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toMatch(MEANINGFUL);
  expect(JSON.parse(lines[2]?.slice(lines[2].indexOf('{')) ?? '')).toMatchObject({ message: HOSTILE });
});

test.each(['/berth', '/berth?', '/berth??', '/berth?id=eq.1', '/a%20b?x=%zz'])(
  'O198 path and query of %s are logged as received',
  (target) => {
    const request = { ...REPORT.request, ...parseTarget(target) };
    expect(renderAccessLine({ ...REPORT, request }, 'T')).toBe(`::1 - - [T] "GET ${target} HTTP/1.1" 200 - "" ""`);
  },
);

test('O195 metrics are written with a fraction, except integers', () => {
  const common = { name: 'm', type: 'gauge', help: 'Help' } as const;
  const sample = (value: number): readonly { value: number }[] => [{ value }];
  const head = '# HELP m Help\n# TYPE m gauge\n';
  expect(renderMetrics([{ ...common, samples: sample(1) }])).toBe(`${head}m 1.0\n`);
  expect(renderMetrics([{ ...common, samples: sample(0.012) }])).toBe(`${head}m 0.012\n`);
  expect(renderMetrics([{ ...common, samples: sample(3), isInteger: true }])).toBe(`${head}m 3\n`);
  expect(renderMetrics([{ ...common, samples: [] }])).toBe(head);
});

test('fatal lines have their exact text', () => {
  const settings: LogSettings = { logFormat: 'text', logLevel: 'crit', logQuery: false, serverTraceHeader: undefined };
  const logger = new Logger(settings, {
    product: PRODUCT,
    dialect: SVC_DIALECT,
    output: { writeOut: () => {}, writeError: () => {} },
    now: () => 0,
    newRequestId: () => '',
    debounce: (write) => write(),
  });
  const failure = {
    status: 500,
    reason: undefined,
    code: '42P05',
    message: 'm',
    details: undefined,
    hint: undefined,
    headers: [],
  };
  const json = '{"code":"42P05","details":null,"hint":null,"message":"m"}';
  expect(
    [
      { kind: 'versionTooOld', version: '13.9', minimum: '14.0' } as const,
      { kind: 'credentialsRefused', failure } as const,
      { kind: 'statementExists', failure } as const,
      { kind: 'statementPooling', failure } as const,
      { kind: 'internalError', failure } as const,
      { kind: 'adminCrashed', reason: 'x' } as const,
      { kind: 'listenerFailed', channel: 'svc', reason: 'one\n  two\n' } as const,
    ].map((observation) => logger.describe(observation)),
  ).toEqual([
    `Cannot run in this PostgreSQL version (13.9), ${PRODUCT.name} needs at least 14.0`,
    `Failed to establish a connection. ${json}`,
    `If you are using connection poolers in transaction mode, try setting db-prepared-statements to false. ${json}`,
    `Connection poolers in statement mode are not supported.${json}`,
    `This is probably a bug in ${PRODUCT.name}, please report it. ${json}`,
    'Admin server crashed unexpectedly: x',
    'Failed listening for database notifications on the "svc" channel. one two',
  ]);
});

import { expect, test } from 'vitest';
import { deriveRequests } from '../../../tools/compare/requests/describe-requests.ts';
import { withRollback } from '../../../tools/compare/requests/choose-requests.ts';
import { parseAccessLog, parseHar, parseRequestFile } from '../../../tools/compare/requests/parse-recording.ts';
import type { RecordedRequest } from '../../../tools/compare/requests/recorded-request.ts';

const BASE = new URL('https://api.example.com/rest/v1/');

function get(target: string, ...headers: RecordedRequest['headers']): RecordedRequest {
  return { method: 'GET', target, headers, body: undefined };
}

test('a file has one request per line, each with the headers below it', () => {
  const text = `# comment
/films?title=eq.a:b
HEAD /films HTTP/1.1
Prefer: count=exact
Accept-Encoding: gzip

GET https://api.example.com/rest/v1/films?id=eq.%C3%A9#top
`;
  expect(parseRequestFile(text, BASE)).toEqual({
    ok: true,
    value: [
      get('/films?title=eq.a:b'),
      { ...get('/films', ['prefer', 'count=exact']), method: 'HEAD' },
      get('/films?id=eq.%C3%A9'),
    ],
  });
});

test('### separates requests with headers and bodies', () => {
  const text = `### all films\r
\r
GET /films\r
\r
### one more
// comment
POST /films
Content-Type: application/json
Host: elsewhere

{"id": 1,

 "title": "b"}

###
`;
  expect(parseRequestFile(text, BASE)).toEqual({
    ok: true,
    value: [
      get('/films'),
      {
        method: 'POST',
        target: '/films',
        headers: [['content-type', 'application/json']],
        body: '{"id": 1,\n\n "title": "b"}',
      },
    ],
  });
});

test.each([
  [
    '/a\nfilms',
    'Line 2: expected a request such as "GET /films?id=eq.1", or its URL below https://api.example.com/rest/v1',
  ],
  [
    'GET https://other.example.com/films',
    'Line 1: expected a request such as "GET /films?id=eq.1", or its URL below https://api.example.com/rest/v1',
  ],
  ['###\nGET /films\nno header', 'Line 3: expected a header "Name: value"'],
])('the file %j is rejected', (text, error) => {
  expect(parseRequestFile(text, BASE)).toEqual({ ok: false, error });
});

test('a HAR file contributes the requests to the API, with their headers and bodies', () => {
  const entry = (method: string, url: string, rest: object = {}): object => ({
    request: { method, url, headers: [], ...rest },
  });
  const headers = [
    { name: ':authority', value: 'api.example.com' },
    { name: 'Host', value: 'api.example.com' },
    { name: 'Prefer', value: 'return=minimal' },
  ];
  const entries = [
    entry('GET', 'https://api.example.com/rest/v1/films?select=a,b'),
    entry('POST', 'https://api.example.com/rest/v1/films', { headers, postData: { text: '{}' } }),
    entry('GET', 'https://api.example.com/rest/v10/films'),
    entry('GET', 'https://cdn.example.com/rest/v1/films'),
    {},
  ];
  expect(parseHar(JSON.stringify({ log: { version: '1.2', entries } }), BASE)).toEqual({
    ok: true,
    value: {
      requests: [
        get('/films?select=a,b'),
        { method: 'POST', target: '/films', headers: [['prefer', 'return=minimal']], body: '{}' },
      ],
      foreign: 3,
    },
  });
});

test('a file that is no HAR file is rejected', () => {
  expect(parseHar('[]', BASE)).toEqual({ ok: false, error: 'The file is not a HAR file: it has no log.entries' });
});

test('access logs in common, combined and JSON format contribute their requests', () => {
  const log = String.raw`127.0.0.1 - web_anon [06/May/2027:08:16:11 +0200] "GET /films?title=eq.\"a\" HTTP/1.1" 200 - "" "curl/8"
10.0.0.1 - - [06/May/2027:08:16:11 +0200] "HEAD /films?t=eq.\xC3\xa9 HTTP/2.0" 206 0
{"time":"2027-05-06T06:16:11.000Z","event":"request","method":"DELETE","path":"/films?id=eq.1","status":204}
{"time":"2027-05-06T06:16:11.000Z","event":"started","message":"Listening"}
06/May/2027:08:16:11 +0200: Schema cache loaded
10.0.0.1 - - [06/May/2027:08:16:11 +0200] "\x16\x03\x01" 400 157 "-" "-"
`;
  expect(parseAccessLog(log, '')).toEqual({
    requests: [
      get('/films?title=eq."a"'),
      { ...get('/films?t=eq.%C3%A9'), method: 'HEAD' },
      { ...get('/films?id=eq.1'), method: 'DELETE' },
    ],
    foreign: 3,
  });
});

test('paths in a log are below the path at which they were recorded', () => {
  const lines = ['/rest/v1/films', '/rest/v1', '/rest/v1?a', '/rest/v10', '/'].map(
    (path) => `"GET ${path} HTTP/1.1" 200 1`,
  );
  expect(parseAccessLog(lines.join('\n'), '/rest/v1')).toEqual({
    requests: [get('/films'), get('/'), get('/?a')],
    foreign: 2,
  });
});

test('a description becomes requests in the order of the key, or of the columns that have an order', () => {
  const description = {
    swagger: '2.0',
    paths: {
      '/': { get: {} },
      '/films': { get: {} },
      '/log entries': { get: {} },
      '/only_post': { post: {} },
      '/rpc/f': { get: {} },
    },
    definitions: {
      films: { properties: { title: {}, id: { description: 'Note:\nThis is a Primary Key.<pk/>' } } },
      'log entries': {
        properties: { 'at "x"': { format: 'date' }, data: { format: 'jsonb' }, n: { format: 'integer' } },
      },
    },
  };
  const requests = deriveRequests(description);
  expect(requests.slice(0, 8)).toEqual([
    get('/'),
    get('/films?limit=20&order=id'),
    get('/films?limit=20&order=id', ['prefer', 'count=exact']),
    get('/films?offset=1&limit=2&order=id', ['prefer', 'count=exact']),
    get('/films?limit=20&order=id', ['accept', 'text/csv']),
    get('/films?limit=1&order=id', ['accept', 'application/vnd.pgrst.object+json']),
    { ...get('/films?limit=20', ['prefer', 'count=exact']), method: 'HEAD' },
    { ...get('/films'), method: 'OPTIONS' },
  ]);
  expect(requests[8]).toEqual(get(`/log%20entries?limit=20&order=${encodeURIComponent(String.raw`"at \"x\""`)},n`));
  expect(requests).toHaveLength(15);
});

test('a write asks for a rollback, whatever was recorded', () => {
  const request = get('/films', ['prefer', 'return=minimal, tx=commit'], ['accept', '*/*'], ['prefer', 'count=exact']);
  expect(withRollback(request).headers).toEqual([
    ['accept', '*/*'],
    ['prefer', 'tx=rollback, return=minimal, count=exact'],
  ]);
});

// Requests that are cheap to send and could be expensive to answer: deep, long, or many. Each stays below the size
// limits or exceeds one; either way the server must answer soon, and without a 5xx.
import type { Question } from '../support/http-client.ts';

interface Bomb {
  readonly name: string;
  /** Built only when it is sent: together they would fill the memory of the test. */
  readonly question: () => Question;
}

/** Characters that fit into a URL below `url-max-length`. */
const URL_ROOM = 90_000;

function fill(piece: string, room = URL_ROOM): string {
  return piece.repeat(Math.floor(room / piece.length));
}

function nest(open: string, inside: string, close: string, depth: number): string {
  return open.repeat(depth) + inside + close.repeat(depth);
}

function get(url: string, headers: Readonly<Record<string, string>> = {}): Question {
  return { method: 'GET', url, headers };
}

function post(url: string, body: string, type = 'application/json'): Question {
  return { method: 'POST', url, headers: { 'Content-Type': type, Prefer: 'tx=rollback' }, body };
}

const URL_BOMBS: readonly Bomb[] = [
  { name: 'a URL beyond the limit', question: () => get(`/things?${'x'.repeat(120_000)}`) },
  { name: 'escapes that are not UTF-8', question: () => get(`/things?name=eq.${fill('%ff')}`) },
  { name: 'escapes of NUL', question: () => get(`/things?name=eq.${fill('%00')}`) },
  { name: 'broken escapes', question: () => get(`/things?name=eq.${fill('%')}`) },
  { name: 'filters', question: () => get(`/things?${fill('id=gte.1&')}`) },
  { name: 'members of a tree', question: () => get(`/things?or=(${fill('id.eq.1,')}id.eq.2)`) },
  { name: 'a long list', question: () => get(`/things?id=in.(${fill('1,')}1)`) },
  { name: 'a list of quotes', question: () => get(`/things?name=in.(${fill('"",')}"")`) },
  { name: 'unclosed quotes', question: () => get(`/things?name=in.(${fill('"a,')})`) },
  { name: 'deep groups', question: () => get(`/things?and=${nest('(and', '(id.eq.1)', ')', 9000)}`) },
  { name: 'repeated not before a tree', question: () => get(`/things?${fill('not.')}and=(id.eq.1)`) },
  { name: 'repeated not before an operator', question: () => get(`/things?id=${fill('not.')}eq.1`) },
  { name: 'deep embeds', question: () => get(`/things?select=${nest('parts(things(', 'id', '))', 5000)}`) },
  { name: 'embeds to the limit', question: () => get(`/things?select=${nest('parts(things(', 'id', '))', 16)}`) },
  { name: 'wide embeds', question: () => get(`/things?select=${fill('a:parts(id),')}id`) },
  { name: 'columns', question: () => get(`/things?select=${fill('id,')}id`) },
  { name: 'casts', question: () => get(`/things?select=id${fill('::text')}`) },
  { name: 'a JSON path', question: () => get(`/things?select=doc${fill('->a')}`) },
  { name: 'a JSON path in a filter', question: () => get(`/things?doc${fill('->a')}=eq.1`) },
  { name: 'a JSON path in an order', question: () => get(`/things?order=doc${fill('->0')}`) },
  { name: 'order terms', question: () => get(`/things?order=${fill('id,')}id`) },
  { name: 'limits', question: () => get(`/things?${fill('limit=1&')}`) },
  { name: 'dots', question: () => get(`/things?${fill('.')}=eq.1`) },
  { name: 'colons', question: () => get(`/things?select=${fill(':')}`) },
  { name: 'open brackets', question: () => get(`/things?select=${fill('(')}`) },
  { name: 'closed brackets', question: () => get(`/things?or=${fill(')')}`) },
  { name: 'a search of brackets', question: () => get(`/things?words=fts.${fill('(', 60_000)}`) },
  { name: 'a search of negations', question: () => get(`/things?words=fts.${fill('!', 60_000)}a`) },
  {
    name: 'a search of words',
    question: () => get(`/things?words=plfts.${fill('word ', 80_000).replaceAll(' ', '%20')}`),
  },
  { name: 'a pattern of stars', question: () => get(`/things?name=like.${fill('*a')}`) },
  { name: 'a deep array', question: () => get(`/things?grid=cs.${fill('{')}`) },
  { name: 'a deep document', question: () => get(`/things?docb=cs.${fill('[')}`) },
  { name: 'a deep closed document', question: () => get(`/things?docb=cs.${nest('[', '', ']', 40_000)}`) },
  { name: 'a deep argument', question: () => get(`/rpc/same?doc=${nest('[', '', ']', 40_000)}`) },
  { name: 'arguments', question: () => get(`/rpc/add?${fill('a=1&')}b=2`) },
  { name: 'a long unknown name', question: () => get(`/${fill('things')}`) },
  { name: 'a long unknown function', question: () => get(`/rpc/${fill('add')}`) },
];

const HEADER_ROOM = 30_000;

const HEADER_BOMBS: readonly Bomb[] = [
  { name: 'preferences', question: () => get('/things', { Prefer: fill('count=exact, ', HEADER_ROOM) }) },
  { name: 'media types', question: () => get('/things', { Accept: fill('text/x;q=0.1, ', HEADER_ROOM) }) },
  {
    name: 'parameters of a media type',
    question: () => get('/things', { Accept: `text/csv${fill(';a=b', HEADER_ROOM)}` }),
  },
  { name: 'cookies', question: () => get('/things', { Cookie: fill('a=b; ', HEADER_ROOM) }) },
  {
    name: 'cookies with the same name',
    question: () => get('/things', { Cookie: fill('__proto__=b; ', HEADER_ROOM) }),
  },
  { name: 'a range', question: () => get('/things', { Range: fill('9', HEADER_ROOM) }) },
  { name: 'ranges', question: () => get('/things', { Range: fill('0-1,', HEADER_ROOM) }) },
  { name: 'a token', question: () => get('/things', { Authorization: `Bearer ${fill('a', HEADER_ROOM)}` }) },
  { name: 'a token of dots', question: () => get('/things', { Authorization: `Bearer ${fill('.', HEADER_ROOM)}` }) },
  { name: 'origins', question: () => get('/things', { Origin: fill('https://a', HEADER_ROOM) }) },
];

const MB = 1_000_000;

const BODY_BOMBS: readonly Bomb[] = [
  { name: 'nested arrays', question: () => post('/notes', nest('[', '', ']', 20_000)) },
  { name: 'unclosed nested arrays', question: () => post('/notes', '['.repeat(MB)) },
  { name: 'nested objects', question: () => post('/notes', nest('{"doc":', '1', '}', 20_000)) },
  { name: 'a nested value', question: () => post('/notes', `{"doc":${nest('[', '', ']', 100_000)}}`) },
  { name: 'a nested argument', question: () => post('/rpc/same', `{"doc":${nest('{"a":', '1', '}', 50_000)}}`) },
  { name: 'empty rows', question: () => post('/notes', `[${'{},'.repeat(100_000)}{}]`) },
  { name: 'keys', question: () => post('/notes', `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join()}}`) },
  { name: 'one key repeated', question: () => post('/notes', `{${'"body":1,'.repeat(100_000)}"body":2}`) },
  { name: 'a long number', question: () => post('/notes', `{"doc":${'9'.repeat(MB)}}`) },
  { name: 'a long string of escapes', question: () => post('/notes', `{"body":"${'\\u0041'.repeat(300_000)}"}`) },
  { name: 'an escape of NUL', question: () => post('/notes', '{"body":"\\u0000"}') },
  { name: 'half a surrogate', question: () => post('/notes', '{"doc":"\\ud800"}') },
  { name: 'blanks', question: () => post('/notes', `${' '.repeat(MB)}{}`) },
  { name: 'CSV columns', question: () => post('/notes', `${'a,'.repeat(50_000)}a\n1\n`, 'text/csv') },
  { name: 'CSV rows', question: () => post('/notes', `body\n${'x\n'.repeat(100_000)}`, 'text/csv') },
  { name: 'an unclosed CSV quote', question: () => post('/notes', `body\n"${'x'.repeat(MB)}`, 'text/csv') },
  { name: 'CSV quotes', question: () => post('/notes', `body\n${'"'.repeat(MB)}`, 'text/csv') },
  {
    name: 'fields of a form',
    question: () => post('/notes', 'a=1&'.repeat(100_000), 'application/x-www-form-urlencoded'),
  },
  {
    name: 'a compressed body',
    question: () => ({
      ...post('/notes', '{}'),
      headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json', Prefer: 'tx=rollback' },
    }),
  },
  { name: 'a multipart body', question: () => post('/notes', '--x\r\n\r\n', 'multipart/form-data; boundary=x') },
];

/** Just below the limit for the body of a long query. */
const QUERY_ROOM = 8_000_000;

function query(text: string, url = '/things'): Question {
  return { method: 'POST', url, headers: { 'Content-Type': 'application/vnd.svc.query' }, body: text };
}

const long = (piece: string): string => fill(piece, QUERY_ROOM);

const QUERY_BOMBS: readonly Bomb[] = [
  { name: 'filters in a body', question: () => query(long('id=gte.1&')) },
  { name: 'unknown parameters in a body', question: () => query(long('a=1&')) },
  { name: 'nothing but ampersands', question: () => query('&'.repeat(QUERY_ROOM)) },
  { name: 'a tree in a body', question: () => query(`or=(${long('id.eq.1,')}id.eq.2)`) },
  { name: 'trees in a body', question: () => query(long('or=(id.eq.1)&')) },
  { name: 'an unclosed tree in a body', question: () => query(`or=(${long('name.eq."a,')}`) },
  { name: 'aggregates in a tree', question: () => query(`or=(${long('id.sum().gt.1,')}id.eq.1)`) },
  { name: 'a list in a body', question: () => query(`id=in.(${long('1,')}1)`) },
  { name: 'a list of quotes in a body', question: () => query(`name=in.(${long('"",')}"")`) },
  { name: 'a list of unclosed quotes in a body', question: () => query(`name=in.(${long('"a,')})`) },
  { name: 'one unclosed quote in a body', question: () => query(`name=in.("${long('a')}`) },
  { name: 'columns in a body', question: () => query(`columns=${long('a,')}a`) },
  { name: 'orders in a body', question: () => query(long('order=id&')) },
  { name: 'limits in a body', question: () => query(long('limit=1&')) },
  { name: 'page tokens in a body', question: () => query(long('after=a&')) },
  { name: 'a page token in a body', question: () => query(`after=${long('a')}`) },
  { name: 'a long name in a body', question: () => query(`select=${long('a')}`) },
  { name: 'a name of dashes in a body', question: () => query(`select=${long('a-')}a`) },
  { name: 'a name of letters beyond ASCII', question: () => query(`select=${fill('é', QUERY_ROOM / 2)}`) },
  { name: 'a path of names in a body', question: () => query(`${long('a.')}b=eq.1`) },
  { name: 'subscripts in a body', question: () => query(`id${long('[]')}=eq.1`) },
  { name: 'subscripts that do not end', question: () => query(`id${long('[]')}x=eq.1`) },
  { name: 'brackets in a body', question: () => query(`doc=eq.${long('(')}`) },
  { name: 'blanks in a body', question: () => query(`name=eq.${long('+')}`) },
  { name: 'escapes in a body', question: () => query(`name=eq.${long('%41')}`) },
  { name: 'escapes in a body that are not UTF-8', question: () => query(`name=eq.${long('%ff')}`) },
  { name: 'literal wildcards in a body', question: () => query(`name=has.${long('%25')}`) },
  { name: 'arguments in a body', question: () => query(`${long('a=1&')}b=2`, '/rpc/add') },
  { name: 'related rows of related rows', question: () => get(`/things?or=(${fill('parts.')}id.eq.1)`) },
  { name: 'related rows that do not exist', question: () => get(`/things?or=(${fill('a.')}eq.1)`) },
];

/** The text of a batch. */
function batch(...requests: readonly object[]): Question {
  return post('/', JSON.stringify(requests), 'application/vnd.svc.batch+json');
}

const CHEAP = { id: 'a', method: 'GET', path: '/things?limit=1' };
const refer = (at: string): object => ({ $from: 'a', at });
const write = (body: unknown): object => ({ method: 'POST', path: '/notes', body });

const BATCH_BOMBS: readonly Bomb[] = [
  {
    name: 'references to a whole response',
    question: () => batch(CHEAP, write(Array.from({ length: 50_000 }, () => refer('')))),
  },
  {
    name: 'references that multiply',
    question: () => {
      const step = (id: string, from: string): object => ({
        id,
        method: 'POST',
        path: '/rpc/same',
        body: { doc: Array.from({ length: 40 }, () => ({ $from: from, at: '' })) },
      });
      return batch(CHEAP, step('b', 'a'), step('c', 'b'), step('d', 'c'), step('e', 'd'), step('f', 'e'));
    },
  },
  {
    name: 'different pointers',
    question: () => batch(CHEAP, write(Array.from({ length: 50_000 }, (_, index) => refer(`/0/${index}`)))),
  },
  { name: 'a long pointer', question: () => batch(CHEAP, write(refer('/a'.repeat(2 * MB)))) },
  {
    name: 'long pointers',
    question: () =>
      batch(CHEAP, write(Array.from({ length: 200 }, (_, index) => refer(`/${index}${'/a'.repeat(10_000)}`)))),
  },
  { name: 'literals', question: () => batch(write(Array.from({ length: 200_000 }, () => ({ $literal: 0 })))) },
  {
    name: 'members of a request',
    question: () => post('/', `[{${'"method":"GET",'.repeat(200_000)}"path":"/"}]`, 'application/vnd.svc.batch+json'),
  },
  {
    name: 'unknown members',
    question: () => post('/', `[{${'"a":1,'.repeat(500_000)}"path":"/"}]`, 'application/vnd.svc.batch+json'),
  },
  {
    name: 'headers of a request',
    question: () => batch({ ...CHEAP, headers: { x: Array.from({ length: 200_000 }, () => 'y') } }),
  },
  { name: 'a long path', question: () => batch({ ...CHEAP, path: `/${fill('a', 4 * MB)}` }) },
  {
    name: 'ampersands in a path',
    question: () => batch(CHEAP, { method: 'GET', path: `/things?${fill('&')}id=eq.{a#}` }),
  },
  {
    name: 'filters in every path',
    question: () =>
      batch(...Array.from({ length: 100 }, () => ({ method: 'GET', path: `/things?${fill('id=gte.1&', 60_000)}` }))),
  },
  {
    name: 'a text of escapes',
    question: () =>
      post(
        '/',
        `[{"method":"POST","path":"/notes","headers":{"content-type":"text/csv"},"body":"${'\\u0041'.repeat(MB)}"}]`,
        'application/vnd.svc.batch+json',
      ),
  },
];

function nested(url: string, body: string, method: 'POST' | 'PATCH' = 'POST'): Question {
  const headers = { 'Content-Type': 'application/json', Prefer: 'nested=write, tx=rollback' };
  return { method, url, headers, body };
}

const NESTED_BOMBS: readonly Bomb[] = [
  { name: 'empty related rows', question: () => nested('/things', `{"parts":[${fill('{},', MB)}{}]}`) },
  { name: 'empty related rows of a hidden relation', question: () => nested('/concealed', `[${fill('{},', MB)}{}]`) },
  { name: 'related rows of their own', question: () => nested('/things', `[${fill('{"parts":[{}]},', MB)}{}]`) },
  { name: 'deep related rows', question: () => nested('/things', nest('{"parts":[{"things":', '{}', '}]}', 20_000)) },
  {
    name: 'unknown keys of related rows',
    question: () => nested('/things', `{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`).join()}}`),
  },
  { name: 'a relationship repeated', question: () => nested('/things', `{${fill('"parts":[],', MB)}"parts":[]}`) },
  { name: 'hints of a relationship', question: () => nested('/things', `{"parts!${fill('a', 30_000)}":[]}`) },
  { name: 'a long key of a related row', question: () => nested('/things', `{"parts":[{"${fill('k', MB)}":1}]}`) },
  {
    name: 'a long string of a related row',
    question: () => nested('/things', `{"parts":[{"label":"${fill('x', MB)}"}]}`),
  },
  {
    name: 'rows to update',
    question: () => nested('/things?id=eq.1', `{"parts":{"update":[${fill('{"id":1},', MB)}{"id":2}]}}`, 'PATCH'),
  },
  {
    name: 'commands',
    question: () => nested('/things?id=eq.1', `{"parts":{${fill('"delete":[],', MB)}"update":[]}}`, 'PATCH'),
  },
];

function patch(body: string, type = 'application/vnd.svc.patch+json'): Question {
  const headers = { 'Content-Type': type, Prefer: 'tx=rollback' };
  return { method: 'PATCH', url: '/notes?match=id', headers, body };
}

const PATCH_BOMBS: readonly Bomb[] = [
  {
    name: 'a patch of dollars',
    question: () => patch(`[{"id":1,"${fill('$', 30_000)}":{"$add":1},"body":{"$set":1}}]`),
  },
  {
    name: 'operations',
    question: () => patch(`[${Array.from({ length: 50_000 }, (_, i) => `{"id":1,"doc":{"$x${i}":1}}`).join()}]`),
  },
  {
    name: 'elements with different keys',
    question: () =>
      patch(`[${Array.from({ length: 50_000 }, (_, i) => `{"id":1,"k${i}":1}`).join()}]`, 'application/json'),
  },
  { name: 'a long name of an operation', question: () => patch(`[{"id":1,"doc":{"$${fill('a', MB)}":1}}]`) },
];

export const BOMBS: readonly Bomb[] = [
  ...URL_BOMBS,
  ...HEADER_BOMBS,
  ...BODY_BOMBS,
  ...QUERY_BOMBS,
  ...BATCH_BOMBS,
  ...NESTED_BOMBS,
  ...PATCH_BOMBS,
];

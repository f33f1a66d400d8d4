// Every reader of something that a client sends, with the worst shapes for it.
import type { Question } from '../../support/http-client.ts';
import { encodePageToken } from '../../../src/extensions/pages/page-token.ts';
import { BROKEN, fill, nest, number, type Shape, VALUES } from './shapes.ts';

export interface Case {
  readonly reader: string;
  readonly shape: string;
  /** Most bytes that the server accepts of it; undefined: as many as the test sends. */
  readonly room?: number | undefined;
  /** With the client's token. */
  readonly isUser?: true | undefined;
  readonly question: (size: number) => Question;
}

type Shapes = Readonly<Record<string, Shape>>;
type Headers = Readonly<Record<string, string>>;

/** `url-max-length`, the rest of a head, a QUERY, and a message of an agent. */
const [URL_ROOM, HEAD_ROOM, QUERY_ROOM, AGENT_ROOM] = [99_000, 60_000, 8_388_600, 262_000];
const JSON_TYPE = 'application/json';
const ROLLBACK = { Prefer: 'tx=rollback' };

interface Reading extends Pick<Case, 'room' | 'isUser'> {
  readonly ask: (text: string) => Question;
}

function cases(reader: string, shapes: Shapes, { ask, room, isUser }: Reading): readonly Case[] {
  return Object.entries(shapes).map(([shape, make]) => ({
    reader,
    shape,
    room,
    isUser,
    question: (size) => ask(make(size)),
  }));
}

function wrap(shapes: Shapes, start: string, end: string): Shapes {
  return Object.fromEntries(Object.entries(shapes).map(([name, make]) => [name, (size) => start + make(size) + end]));
}

const get = (url: string, headers: Headers = {}): Question => ({ method: 'GET', url, headers });

function send(method: string, url: string, headers: Headers = {}): (body: string) => Question {
  return (body) => ({ method, url, headers: { 'Content-Type': JSON_TYPE, ...ROLLBACK, ...headers }, body });
}

const QUERIES: Shapes = {
  'one filter': fill('x', 'name=eq.'),
  'one list': fill('1,', 'limit=0&id=in.(', '1)'),
  'a list of quoted texts': fill('"a",', 'limit=0&name=in.(', '"a")'),
  'a list without an end': fill('"a', 'name=in.('),
  'a quoted text of escapes': fill(String.raw`\\`, 'limit=0&name=in.("', '")'),
  'a quoted text of escapes without an end': fill(String.raw`\\`, 'name=in.("'),
  'a quoted text of escapes, then more text': fill(String.raw`\\`, 'limit=0&name=in.("', '"a)'),
  'a list of quoted escapes': fill(String.raw`"\\\"",`, 'limit=0&name=in.(', '"a")'),
  'a list of quotes': fill('"', 'limit=0&name=in.(', ')'),
  'a quoted text of escapes in a tree': fill(String.raw`\\`, 'limit=0&or=(name.eq."', '")'),
  'a quoted text of escapes in a tree without an end': fill(String.raw`\\`, 'or=(name.eq."'),
  'an array of quoted escapes': fill(String.raw`"\\",`, 'limit=0&name=like(any).{', '"a"}'),
  'an array of commas': fill(',', 'name=like(any).{', '}'),
  'a pattern of wildcards': fill('%', 'limit=0&name=starts.'),
  filters: fill('id=gte.1&'),
  'different parameters': number((index) => `a${index}=eq.1`, '', '', '&'),
  'parameters without a value': fill('a&'),
  ampersands: fill('&'),
  'parameters of a call': number((index) => `a${index}=${index}`, '', '', '&'),
  alternatives: fill('id.eq.1,', 'or=(', 'id.eq.1)'),
  'deep groups': nest('and(', 'id.eq.1', ')'),
  'deep groups in a tree': (size) => `and=(${nest('or(', 'id.eq.1', ')')(size)})`,
  columns: fill('id,', 'select=', 'id'),
  embeds: fill('part(id),', 'select=', 'id'),
  'deep embeds': (size) => `select=${nest('part(', 'id', ')')(size)}`,
  'order terms': fill('id,', 'order=', 'id'),
  limits: fill('limit=1&'),
  'a JSON path': fill('->a', 'select=doc'),
  escapes: fill('%41', 'name=eq.'),
  'escapes that are no text': fill('%ff', 'name=eq.'),
  'broken escapes': fill('%', 'name=eq.'),
  'a cursor': fill('A', 'order=id&after='),
  'a cursor of many values': (size) =>
    `order=id&after=${encodePageToken([], { values: Array.from({ length: size / 6 }, () => ''), isInclusive: true })}`,
  'a long name': fill('n', '', '=eq.1'),
  'quotes of a name': fill('"', '', '=eq.1'),
  'a quoted name of escapes': fill(String.raw`\\`, '"', '"=eq.1'),
  'a quoted name of escapes without an end': fill(String.raw`\\`, '"', '=eq.1'),
  'a quoted column of escapes': fill(String.raw`\\`, 'select="', '"'),
  'a quoted key of escapes': fill(String.raw`\\`, 'select=doc->"', '"'),
  'a quoted order of escapes': fill(String.raw`\\`, 'order="', '"'),
  'a quoted list of columns': fill(String.raw`\\`, 'columns="', '"'),
  'a quoted conflict target': fill(String.raw`\\`, 'on_conflict="', '"'),
  'a name of dashes and blanks': fill('a -', 'select=', 'a'),
  'an index of digits': fill('1', 'select=doc->'),
  blanks: fill(' ', 'order=', 'id'),
  dots: fill('.', '', '=eq.1'),
  'a list of columns': number((index) => `c${index}`, 'columns=', ''),
  score: fill('1,', 'score=name.', ''),
};

const ROWS: Shapes = {
  'empty rows': fill('{},', '[', '{}]'),
  'short rows': fill('{"id":1},', '[', '{"id":1}]'),
  'rows of unknown columns': number((index) => `{"id":1,"c${index}":1}`, '[', ']'),
  'one row, then scalars': fill('1,', '[{"id":1},', '1]'),
  ...BROKEN,
  ...VALUES,
};

const CHILDREN: Shapes = {
  'empty related rows': fill('{},', '{"id":1,"part":[', '{}]}'),
  'short related rows': fill('{"id":1},', '{"id":1,"part":[', '{"id":1}]}'),
  'rows with a related row each': number((index) => `{"id":${index},"part":[{"id":${index}}]}`, '[', ']'),
  'rows without related rows': fill('{},', '[', '{}]'),
  'unknown columns': number((index) => `"u${index}":1`, '{', '}'),
  'unknown relations': number((index) => `"u${index}":[{}]`, '{', '}'),
  'one relation, repeated': fill('"part":[{}],', '{', '"id":1}'),
  'empty lists': fill('{"part":[]},', '[', '{}]'),
  'rows of different columns': number((index) => `{"c${index}":1}`, '{"id":1,"part":[', ']}'),
  'related rows in related rows': nest('{"part":[{"item":', '{}', '}]}'),
  'related rows without a grant': fill('{},', '{"id":1,"hidden":[', '{}]}'),
};

const COMMANDS: Shapes = {
  ...Object.fromEntries(
    ['create', 'update', 'delete', 'connect', 'disconnect', 'set', 'upsert'].map((command) => [
      `rows to ${command}`,
      number((index) => `{"id":${index}}`, `{"part":{"${command}":[`, ']}}'),
    ]),
  ),
  'empty commands': fill('"part":{},', '{', '"part":{}}'),
  'unknown commands': number((index) => `"k${index}":[]`, '{"part":{', '}}'),
  'unknown columns': number((index) => `"u${index}":1`, '{', '}'),
  'rows of different columns': number((index) => `{"id":1,"c${index}":1}`, '{"part":{"update":[', ']}}'),
};

const OPERATIONS: Shapes = {
  'operations on different columns': number((index) => `"c${index}":{"$add":1}`, '{', '}'),
  'operations on one column': fill('"n":{"$add":1},', '{', '"n":{"$add":1}}'),
  'unknown operations': number((index) => `"n":{"$o${index}":1}`, '{', '}'),
  'one long operand': fill('x', '{"name":{"$append":"', '"}}'),
  'a deep operand': (size) => `{"doc":{"$merge":${nest('{"a":', '1', '}')(size)}}}`,
  'a wide operand': number((index) => `"${index}":1`, '{"doc":{"$merge":{', '}}}'),
  ...wrap(VALUES, '{"doc":', '}'),
};

const ELEMENTS: Shapes = {
  'empty elements': fill('{},', '[', '{}]'),
  elements: number((index) => `{"id":${index},"name":"a"}`, '[', ']'),
  'elements of different columns': number((index) => `{"id":1,"c${index}":1}`, '[', ']'),
  'elements with operations': number((index) => `{"id":${index},"n":{"$add":1}}`, '[', ']'),
  'elements with different operations': number((index) => `{"id":1,"n":{"$o${index}":1}}`, '[', ']'),
  'elements with operations on different columns': number((index) => `{"id":1,"c${index}":{"$add":1}}`, '[', ']'),
  ...BROKEN,
};

const CSV: Shapes = {
  'short records': fill('1\n', 'id\n'),
  'empty records': fill('\n', 'id\n'),
  'many columns': number((index) => `c${index}`),
  'commas in the header': fill(',', 'id'),
  'commas in a record': fill(',', 'id,name\n'),
  'one field': fill('x', 'name\n'),
  'a field of quotes': fill('""', 'name\n"', '"'),
  'a quoted field without an end': fill('x\n', 'name\n"'),
  'quoted fields': fill('"a"\n', 'name\n'),
  'a record that is too short at the end': fill('1,2\n', 'id,n\n', '1'),
  'carriage returns': fill('\r', 'id\n'),
  'wide rows': (size) => `${number((index) => `c${index}`)(20_000)}\n${fill(`${','.repeat(3000)}\n`)(size)}`,
};

const LINES: Shapes = {
  'short lines': fill('{"id":1}\n'),
  'empty lines': fill('\n'),
  'empty rows': fill('{}\n'),
  'lines of different columns': number((index) => `{"c${index}":1}`, '', '', '\n'),
  'one line': fill('x', '{"name":"', '"}'),
  'one line without an end': fill('x', '{"name":"'),
  'scalars in lines': fill('1\n'),
  ...Object.fromEntries(Object.entries(VALUES).map(([name, make]) => [name, (size) => `{"doc":${make(size)}}\n`])),
};

const FORM: Shapes = {
  'one field': fill('x', 'name='),
  fields: number((index) => `a${index}=1`, '', '', '&'),
  'repeated fields': fill('a=1&'),
  ampersands: fill('&'),
  escapes: fill('%41', 'name='),
  'escapes that are no text': fill('%ff', 'name='),
  'plus signs': fill('+', 'name='),
  '10,000 fields': (size) => number((index) => `a${index}=${'x'.repeat(size / 10_000)}`, '', '', '&')(size),
};

/** Calls that take the whole body, and those that the role may not do. */
const LONG_CALLS: Readonly<Record<string, { readonly path: string; readonly type: string; readonly shapes: Shapes }>> =
  {
    'call by long bytes': {
      path: '/rpc/bytes_of',
      type: 'application/octet-stream',
      shapes: { bytes: fill('x') },
    },
    'call without a grant': { path: '/rpc/denied', type: JSON_TYPE, shapes: VALUES },
    'call by form without a grant': {
      path: '/rpc/denied',
      type: 'application/x-www-form-urlencoded',
      shapes: { fields: fill('a=1&') },
    },
    'call by bytes without a grant': {
      path: '/rpc/denied_bytes',
      type: 'application/octet-stream',
      shapes: { bytes: fill('x') },
    },
  };

const MEMBER = '{"method":"GET","path":"/item?limit=1"}';
const BATCHES: Shapes = {
  requests: fill(`${MEMBER},`, '[', `${MEMBER}]`),
  'empty requests': fill('{},', '[', '{}]'),
  'one body': fill('x', '[{"method":"POST","path":"/rpc/same","body":{"doc":"', '"}}]'),
  'a body of escapes': fill(
    String.raw`\u00e9`,
    '[{"method":"POST","path":"/rpc/length_of","headers":{"Content-Type":"application/octet-stream"},"body":"',
    '"}]',
  ),
  'a body of rows': fill('{"id":1},', '[{"method":"POST","path":"/item","body":[', '{"id":1}]}]'),
  'a body of related rows': fill(
    '{},',
    '[{"method":"POST","path":"/item","headers":{"Prefer":"nested=write"},"body":{"id":1,"part":[',
    '{}]}}]',
  ),
  'a deep body': (size) => `[{"method":"POST","path":"/item","body":${nest('[', '', ']')(size)}}]`,
  'different members': number((index) => `"m${index}":1`, '[{', '}]'),
  'repeated members': fill('"path":"/item",', '[{', '"path":"/item"}]'),
  references: fill(
    '{"$from":"a","at":""},',
    '[{"id":"a","method":"GET","path":"/item?limit=1"},{"method":"POST","path":"/rpc/same","body":{"doc":[',
    '1]}}]',
  ),
  'different references': number(
    (index) => `{"$from":"a","at":"/${index}/id"}`,
    '[{"id":"a","method":"GET","path":"/item"},{"method":"POST","path":"/rpc/same","body":{"doc":[',
    ']}}]',
  ),
  'references to nothing': number(
    (index) => `{"$from":"b${index}","at":"/0"}`,
    '[{"id":"a","method":"GET","path":"/item"},{"method":"POST","path":"/rpc/same","body":{"doc":[',
    ']}}]',
  ),
  'references in a path': fill(
    '{a#/0/id},',
    '[{"id":"a","method":"GET","path":"/item"},{"method":"GET","path":"/item?id=in.(',
    '1)"}]',
  ),
  'headers of a request': number((index) => `"x${index}":"y"`, '[{"method":"GET","path":"/item","headers":{', '}}]'),
  ...BROKEN,
  ...VALUES,
};

const HEADERS: Readonly<Record<string, Shapes>> = {
  'If-Match': {
    tags: fill('"a.1.2.3-4",'),
    'tags of quotes': fill('"'),
    'tags without a version': fill('"a.1.1'),
    'weak tags': fill('W/'),
    'one number': fill('1', '"a.1.1.1-'),
  },
  'If-None-Match': { tags: fill('"a",'), quotes: fill('"'), 'weak tags': fill('W/') },
  Prefer: {
    commas: fill(','),
    'unknown ones': number((index) => `a=${index}`),
    'a long number': fill('9', 'max-affected='),
    'blanks and a word': fill(' ', 'a', 'b'),
    zones: fill('x', 'timezone='),
  },
  Accept: {
    types: number((index) => `a/b${index};q=0.1`),
    commas: fill(','),
    parameters: fill(';a=b', 'application/json'),
    'a plan of a plan': fill('application/vnd.svc.plan;for=', '', 'a/b'),
    quotes: fill('"', 'application/vnd.svc.plan;for='),
    blanks: fill(' ', 'a/b', 'c'),
    'HTML types': fill('text/html;q=0.9,'),
  },
  Range: { digits: fill('9', '', '-'), 'many ranges': fill('0-1,', 'items=', '0-1') },
  Authorization: {
    dots: fill('.', 'Bearer '),
    'no key': fill('A', 'Bearer eyJhbGciOiJIUzI1NiJ9.', '.AA'),
    'a long signature': fill('A', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.'),
    blanks: fill(' ', 'Bearer', 'x'),
    'no scheme': fill('a-', '', '.a.'),
    'a deep header': (size) =>
      `Bearer ${Buffer.from(nest('{"a":', '1', '}')(size / 1.4)).toString('base64url')}.e30.AA`,
  },
  Cookie: { pairs: fill('a=b; ') },
  'Last-Event-ID': { digits: fill('1', '1-'), hyphens: fill('-') },
  'Idempotency-Key': { escapes: fill(String.raw`\\`, '"', '"'), 'an open quote': fill('a', '"'), key: fill('k') },
  Forwarded: { elements: fill('for=1.1.1.1;proto=http,') },
  'X-Forwarded-For': { addresses: fill('10.0.0.1, '), colons: fill(':') },
  'X-Forwarded-Prefix': { slashes: fill('/') },
  Origin: { dots: fill('.', 'http://') },
  'Access-Control-Request-Headers': { names: fill('a,') },
  'Accept-Profile': { name: fill('n') },
  'Content-Type': { parameters: fill(';a=b', JSON_TYPE), quotes: fill('"', 'application/vnd.svc.array;a=') },
  traceparent: { digits: fill('0', '00-') },
  'X-Many': { text: fill('x') },
};

const MESSAGE = (method: string, parameters: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${parameters}}`;
const CALL = (tool: string, given: string): string => MESSAGE('tools/call', `{"name":"${tool}","arguments":${given}}`);
const AGENT = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };

const MESSAGES: Shapes = {
  'an argument': (size) => CALL('read_rows', `{"relation":"item","select":${fill('x', '"', '"')(size)}}`),
  'unknown arguments': (size) =>
    CALL('read_rows', number((index) => `"a${index}":1`, '{"relation":"item",', '}')(size)),
  'rows to insert': (size) => CALL('insert_rows', `{"relation":"item","rows":${fill('{},', '[', '{}]')(size)}}`),
  'filters of an agent': (size) =>
    CALL(
      'read_rows',
      `{"relation":"item","filters":${fill('{"column":"id","operator":"eq","value":1},', '[', '{}]')(size)}}`,
    ),
  'filters with many faults': (size) =>
    CALL('read_rows', `{"relation":"item","filters":${fill('{},', '[', '{}]')(size)}}`),
  'inexact numbers': (size) =>
    CALL('call_function', `{"function":"same","arguments":{"doc":${fill('1,', '[', '1]')(size)}}}`),
  'a long name': (size) => CALL(fill('x')(size), '{}'),
  ...Object.fromEntries(
    Object.entries({ ...VALUES, ...BROKEN }).map(([name, make]) => [
      name,
      (size) => CALL('call_function', `{"function":"same","arguments":{"doc":${make(size)}}}`),
    ]),
  ),
};

export const CASES: readonly Case[] = [
  ...cases('URL', QUERIES, { room: URL_ROOM, ask: (text) => get(`/item?${text}`) }),
  ...cases('URL of a call', QUERIES, { room: URL_ROOM, ask: (text) => get(`/rpc/add?${text}`) }),
  ...cases('URL of a write', QUERIES, {
    room: URL_ROOM,
    ask: (text) => ({ method: 'DELETE', url: `/item?${text}`, headers: ROLLBACK }),
  }),
  ...cases(
    'path',
    { slashes: fill('/'), name: fill('n'), escapes: fill('%41'), 'a name of a function': fill('n', 'rpc/') },
    { room: URL_ROOM, ask: (text) => get(`/${text}`) },
  ),
  ...cases('QUERY', QUERIES, {
    room: QUERY_ROOM,
    ask: send('QUERY', '/item', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  }),
  ...cases('QUERY of a call', QUERIES, {
    room: QUERY_ROOM,
    ask: send('QUERY', '/rpc/add', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  }),
  ...cases('insert', ROWS, { ask: send('POST', '/item') }),
  ...cases('insert without a grant', ROWS, { ask: send('POST', '/hidden') }),
  ...cases('insert of columns', ROWS, { ask: send('POST', '/item?columns=id,name') }),
  ...cases(
    'upsert',
    { 'short rows': number((index) => `{"id":${index},"name":"x"}`, '[', ']') },
    { ask: send('POST', '/item', { Prefer: 'resolution=merge-duplicates,tx=rollback' }) },
  ),
  ...cases('PUT', VALUES, { ask: send('PUT', '/item?id=eq.1') }),
  ...cases('update', { ...VALUES, ...BROKEN }, { ask: send('PATCH', '/item?id=eq.1') }),
  ...cases(
    'nested insert',
    { ...CHILDREN, ...ROWS },
    { ask: send('POST', '/item', { Prefer: 'nested=write,tx=rollback' }) },
  ),
  ...cases(
    'nested insert without a grant',
    { ...CHILDREN, ...ROWS },
    { ask: send('POST', '/hidden', { Prefer: 'nested=write,tx=rollback' }) },
  ),
  ...cases(
    'nested PATCH',
    { ...COMMANDS, ...CHILDREN, ...VALUES },
    { ask: send('PATCH', '/item?id=eq.1', { Prefer: 'nested=write,tx=rollback' }) },
  ),
  ...cases('bulk PATCH', ELEMENTS, { ask: send('PATCH', '/item?match=id') }),
  ...cases('bulk PATCH with operations', ELEMENTS, {
    ask: send('PATCH', '/item?match=id', { 'Content-Type': 'application/vnd.svc.patch+json' }),
  }),
  ...cases(
    'merge patch',
    { ...VALUES, ...OPERATIONS },
    { ask: send('PATCH', '/item?id=eq.1', { 'Content-Type': 'application/merge-patch+json' }) },
  ),
  ...cases('patch with operations', OPERATIONS, {
    ask: send('PATCH', '/item?id=eq.1', { 'Content-Type': 'application/vnd.svc.patch+json' }),
  }),
  ...cases('call', { ...wrap(VALUES, '{"doc":', '}'), ...VALUES, ...BROKEN }, { ask: send('POST', '/rpc/same') }),
  ...cases('call by array', wrap(VALUES, '{"items":', '}'), { ask: send('POST', '/rpc/total') }),
  ...cases('call by form', FORM, {
    ask: send('POST', '/rpc/same', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  }),
  ...cases(
    'call by bytes',
    { bytes: fill('x') },
    { ask: send('POST', '/rpc/length_of', { 'Content-Type': 'application/octet-stream' }) },
  ),
  ...Object.entries(LONG_CALLS).flatMap(([reader, { path, type, shapes }]) =>
    cases(reader, shapes, { ask: send('POST', path, { 'Content-Type': type }) }),
  ),
  ...cases(
    'call by text',
    { text: fill('\u00e9') },
    { ask: send('POST', '/rpc/text_of', { 'Content-Type': 'text/plain' }) },
  ),
  ...cases('CSV', CSV, { ask: send('POST', '/item', { 'Content-Type': 'text/csv' }) }),
  ...cases('CSV while it arrives', CSV, { ask: send('POST', '/item?columns=id', { 'Content-Type': 'text/csv' }) }),
  ...cases('NDJSON', LINES, { ask: send('POST', '/item', { 'Content-Type': 'application/x-ndjson' }) }),
  ...cases('NDJSON of columns', LINES, {
    ask: send('POST', '/item?columns=id,name', { 'Content-Type': 'application/x-ndjson' }),
  }),
  ...cases('form', FORM, { ask: send('POST', '/item', { 'Content-Type': 'application/x-www-form-urlencoded' }) }),
  ...cases(
    'multipart',
    { parts: fill('--a\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n') },
    { ask: send('POST', '/item', { 'Content-Type': 'multipart/form-data; boundary=a' }) },
  ),
  ...cases('batch', BATCHES, { ask: send('POST', '/', { 'Content-Type': 'application/vnd.svc.batch+json' }) }),
  ...cases('agent', MESSAGES, { room: AGENT_ROOM, ask: send('POST', '/mcp', AGENT) }),
  ...cases(
    'idempotent write',
    { 'short rows': fill('{"id":1},', '[', '{"id":1}]') },
    { isUser: true, ask: send('POST', '/item', { 'Idempotency-Key': 'k' }) },
  ),
  ...Object.entries(HEADERS).flatMap(([name, shapes]) =>
    cases(name, shapes, { room: HEAD_ROOM, ask: (text) => headerQuestion(name, text) }),
  ),
];

const WRITES = /^(?:If-Match|Idempotency-Key|Content-Type)$/u;

function headerQuestion(name: string, text: string): Question {
  const headers = { [name]: text };
  if (name === 'Last-Event-ID')
    return { method: 'GET', url: '/item?order=id', headers: { ...headers, Accept: 'text/event-stream' } };
  if (WRITES.test(name))
    return {
      method: 'PATCH',
      url: '/item?id=eq.1',
      headers: { 'Content-Type': JSON_TYPE, ...ROLLBACK, ...headers },
      body: '{"name":"x"}',
    };
  return { method: name.startsWith('Access-Control') ? 'OPTIONS' : 'GET', url: '/item?id=eq.1', headers };
}

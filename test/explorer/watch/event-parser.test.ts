// Server-sent events in pieces of text.
import { expect, test } from 'vitest';
import { createEventParser } from '../../../explorer/src/watch/event-parser.ts';

test('parses names, ids and data of several lines', () => {
  const parser = createEventParser();
  expect(parser.push('event: rows\nid: a-0\ndata: [1,\ndata:  2]\n\ndata\n\n')).toEqual([
    { name: 'rows', id: 'a-0', data: '[1,\n 2]' },
    { name: 'message', id: 'a-0', data: '' },
  ]);
});

test('an event may come in any pieces', () => {
  const parser = createEventParser('a-0');
  const text = 'event: change\ndata: {"ä": "🚤"}\n\n';
  expect(Array.from(text).flatMap((piece) => parser.push(piece))).toEqual([
    { name: 'change', id: 'a-0', data: '{"ä": "🚤"}' },
  ]);
});

test('comments, unknown fields and events without data are left out', () => {
  const parser = createEventParser();
  expect(parser.push(': heartbeat\n\nevent: reset\n\nother: 1\ndata: x\n\n')).toEqual([
    { name: 'message', id: undefined, data: 'x' },
  ]);
});

test('lines end with CR LF, CR or LF, also between pieces', () => {
  const parser = createEventParser();
  const pieces = ['data: a\r', '\ndata: 2\r\n\r\ndata: b\r\rdata: c\n', '\n'];
  expect(pieces.flatMap((piece) => parser.push(piece))).toEqual([
    { name: 'message', id: undefined, data: 'a\n2' },
    { name: 'message', id: undefined, data: 'b' },
    { name: 'message', id: undefined, data: 'c' },
  ]);
});

test('remembers the pause that the server wants', () => {
  const parser = createEventParser();
  parser.push('retry: soon\nretry: 2500\n\n');
  expect(parser.retryMs()).toBe(2500);
});

// Texts of the result in the explorer: values, rows and pages, kinds of content, errors, keys.
import { describe, expect, test } from 'vitest';
import type { ReceivedResponse } from '../../explorer/src/client/exchange.ts';
import { findCorrections } from '../../explorer/src/result/corrections.ts';
import { adviseOn, readError } from '../../explorer/src/result/error-advice.ts';
import { joinCsv, joinJson } from '../../explorer/src/result/download-all.ts';
import { extensionOf } from '../../explorer/src/result/file-name.ts';
import { moveCell } from '../../explorer/src/result/grid-keys.ts';
import { parseJson } from '../../explorer/src/rows/json-value.ts';
import { describeRows, describeRowsShown, type Received } from '../../explorer/src/rows/pages.ts';
import { readBody } from '../../explorer/src/rows/read-body.ts';
import { splitLines } from '../../explorer/src/result/text-lines.ts';
import { formatBytes, formatMilliseconds } from '../../explorer/src/result/units.ts';
import { describeValue, isLong } from '../../explorer/src/rows/value-text.ts';
import type { TypeCategory } from '../../src/contract/schema-document.ts';

test('rows within an embedded row are counted, and a row within it shows its values', () => {
  const textOf = (json: string): string => {
    const value = parseJson(json);
    if (value === undefined) throw new Error(json);
    return describeValue(value, undefined, true).text;
  };
  expect(textOf('{"name":"Ann","houses":{"number":1,"streets":[{"a":1},{"a":2}]},"skills":[{"name":"x"}]}')).toBe(
    'name: Ann, houses: (number: 1, streets: 2 rows), skills: 1 row',
  );
  expect(textOf('{"skills":[{"name":"x"},{"name":"y"}]}')).toBe('2 rows');
  expect(textOf('{"name":"Ann","skills":[],"tags":["a"]}')).toBe('name: Ann, skills: [], tags: ["a"]');
});

describe('a value in one line', () => {
  test.each<[string, TypeCategory, string, string]>([
    ['null', 'text', 'null', 'null'],
    ['true', 'boolean', 'true', 'true'],
    ['12.50', 'number', 'number', '12.50'],
    ['"a\\nb"', 'text', 'text', 'a ⏎ b'],
    ['""', 'text', 'empty', 'empty string'],
    ['"2026-03-01"', 'date', 'date', '2026-03-01'],
    ['"2026-03-01T09:30:00.120000+00:00"', 'timestamp', 'date', '2026-03-01 09:30:00.12 UTC'],
    ['"2026-03-01T09:30:00+05:30"', 'timestamp', 'date', '2026-03-01 09:30:00+05:30'],
    ['"2026-03-01T09:30:00"', 'text', 'text', '2026-03-01T09:30:00'],
    ['["a","b"]', 'text', 'list', 'a, b'],
    ['[]', 'text', 'empty', '[]'],
    ['[{"id":1},[2]]', 'other', 'list', '{"id":1}, [2]'],
    ['{"teeth_per_inch": 17}', 'json', 'json', '{"teeth_per_inch":17}'],
    ['[1, 2.50, "c"]', 'json', 'json', '[1,2.50,"c"]'],
    ['[[1, 2], [3, null]]', 'json', 'json', '[[1,2],[3,null]]'],
    ['{"x": 1, "y": {"z": [true]}}', 'composite', 'json', '{"x":1,"y":{"z":[true]}}'],
    [`[${'"abcdefghi",'.repeat(50)}0]`, 'json', 'json', `[${'"abcdefghi",'.repeat(20).slice(0, 239)}…`],
  ])('%s of category %s is formatted', (json, category, look, text) => {
    expect(describeValue(parseJson(json)!, { name: '', category, isArray: false })).toMatchObject({ look, text });
  });

  test.each([
    ['[{"id":1},{"id":2}]', '2 rows'],
    ['{"name":"Lantern Row"}', 'Lantern Row'],
    ['{"id":1,"more":{"a":1},"list":[1,2]}', 'id: 1, more: (a: 1), list: [1,2]'],
  ])('the embed %s is described by its content', (json, text) => {
    expect(describeValue(parseJson(json)!, undefined, true)).toMatchObject({ look: 'list', text });
  });

  test('long texts are truncated and can be opened', () => {
    const value = { kind: 'string', value: 'x'.repeat(5000) } as const;
    expect(describeValue(value, undefined).text).toBe(`${'x'.repeat(240)}…`);
    expect([isLong(value), isLong(parseJson('["a"]')!), isLong(parseJson('[{"a":1}]')!)]).toEqual([true, false, true]);
  });
});

describe('rows and pages', () => {
  const received: Received = {
    range: { limit: 10, offset: undefined },
    count: 10,
    contentRange: '0-9/*',
    total: undefined,
    maxRows: undefined,
  };
  test.each<[string, Partial<Received>, string, number | undefined, number | undefined]>([
    ['a full page', {}, '10 rows', undefined, 10],
    ['the last page', { count: 3, range: { limit: 10, offset: 20 } }, 'rows 21–23', 10, undefined],
    ['a page of a known total', { contentRange: '0-9/1234' }, 'rows 1–10 of 1,234', undefined, 10],
    ['a page with all rows', { contentRange: '0-9/10' }, '10 rows', undefined, undefined],
    ['a page with a separate count', { total: 11 }, 'rows 1–10 of 11', undefined, 10],
    ['one row', { count: 1 }, '1 row', undefined, undefined],
    ['an empty result', { count: 0 }, 'no rows', undefined, undefined],
    ['a request without a limit', { range: { limit: undefined, offset: undefined } }, '10 rows', undefined, undefined],
    [
      'a result truncated by the server',
      { range: { limit: undefined, offset: undefined }, maxRows: 10 },
      '10 rows',
      undefined,
      10,
    ],
    ['an offset within the first page', { range: { limit: 10, offset: 4 } }, 'rows 5–14', 0, 14],
  ])('are described for %s', (_, more, text, previous, next) => {
    const rows = describeRows({ ...received, ...more });
    expect([describeRowsShown(rows), rows.previous?.offset, rows.next?.offset]).toEqual([text, previous, next]);
  });
});

function answer(text: string, type: string, status = 200): ReceivedResponse {
  return {
    status,
    headers: [['content-type', type]],
    text,
    content: new Blob([text]),
    bytes: text.length,
    milliseconds: 1,
  };
}

describe('kinds of content', () => {
  test.each([
    ['[{"a":1}]', 'application/json; charset=utf-8', 'rows'],
    ['{"a":1}', 'application/vnd.pgrst.object+json', 'value'],
    ['{"type":"FeatureCollection","features":[]}', 'application/geo+json; charset=utf-8', 'value'],
    ['7', 'application/json', 'value'],
    ['', 'application/json', 'nothing'],
    ['no json', 'application/json', 'text'],
    ['[{"Plan":{}}]', 'application/vnd.svc.plan+json; for="application/json"', 'plan'],
    ['a,b', 'text/csv; charset=utf-8', 'csv'],
    ['<p>', 'text/html', 'text'],
    ['\uFFFDPNG', 'image/png', 'binary'],
    ['<svg/>', 'image/svg+xml', 'binary'],
    ['\uFFFD', 'text/plain', 'binary'],
  ])('%s of type %s is classified', (text, type, kind) => {
    expect(readBody(answer(text, type)).kind).toBe(kind);
  });
});

describe('errors', () => {
  test('the message and the suggested name come from the server', () => {
    const hint = "Perhaps you meant the table 'api.hou.ses'";
    const text = JSON.stringify({ code: 'SVC205', message: 'Could not find it', details: null, hint });
    const error = readError(answer(text, 'application/json', 404));
    expect(error).toEqual({ code: 'SVC205', message: 'Could not find it', details: undefined, hint });
    expect(findCorrections('/houses?limit=1', error)).toEqual([{ label: 'hou.ses', url: '/hou.ses?limit=1' }]);
  });

  test.each([
    ['/rpc/ner?house=7', 'Perhaps you meant to call the function api.near(house)', ['/rpc/near?house=7']],
    [
      '/houses?select=number,street(name)&street.name=eq.street',
      "Perhaps you meant 'streets' instead of 'street'.",
      ['/houses?select=number,streets(name)&streets.name=eq.streets'],
    ],
    [
      '/loans?select=*,residents(name)',
      "Try changing 'residents' to one of the following: 'residents!a', 'residents!b'. Find the desired relationship in the 'details' key.",
      ['/loans?select=*,residents!a(name)', '/loans?select=*,residents!b(name)'],
    ],
    [
      '/houses?select=id,bilt&order=bilt.desc',
      'Perhaps you meant to reference the column "houses.built".',
      ['/houses?select=id,built&order=built.desc'],
    ],
    [
      '/houses?colour=eq.red&colour=mint&limit=1',
      'write colour=eq.mint',
      ['/houses?colour=eq.red&colour=eq.mint&limit=1'],
    ],
    [
      '/houses?built=greater.5',
      'greater is not an operator. To compare with the whole text, write built=eq.greater.5',
      ['/houses?built=eq.greater.5'],
    ],
    [
      '/houses?select=id,streets.name&limit=2',
      'To show a column of a related row, write select=streets(name). To quote a name with a dot, write select=%22streets.name%22',
      ['/houses?select=id,streets(name)&limit=2', '/houses?select=id,"streets.name"&limit=2'],
    ],
    ['/houses?order=built desc', 'write order=built.desc', ['/houses?order=built.desc']],
    ['/houses?sort=built&limit=2', 'To sort, write order=built', ['/houses?order=built&limit=2']],
    ['/houses?limit=many', 'write limit=25, with a whole number of rows', ['/houses?limit=25']],
    ['/houses?built=gt', 'gt needs a value: write built=gt.VALUE', []],
    ['/houses/?limit=1', 'write /houses, without the slash at the end', ['/houses?limit=1']],
    [
      '/houses/7',
      'To get one row, filter by its key: write /houses?id=eq.7 if the key is called id',
      ['/houses?id=eq.7'],
    ],
    ['/houses', 'Check the value', []],
  ])('the hint for %s leads to a corrected request: %s', (url, hint, corrected) => {
    const error = { code: '1', message: 'column houses.bilt does not exist', details: undefined, hint };
    expect(findCorrections(url, error).map((one) => one.url)).toEqual(corrected);
  });

  test('details other than strings are shown as JSON', () => {
    const error = readError(answer('{"message":"m","details":[{"a":1}]}', 'application/json', 300));
    expect(error.details).toBe('[\n  {\n    "a": 1\n  }\n]');
  });

  test.each([
    ['<h1>Bad Gateway</h1>', '<h1>Bad Gateway</h1>'],
    ['', 'The server returned status 502 without a message.'],
  ])('an error of a proxy is shown as text: %s', (text, message) => {
    expect(readError(answer(text, 'text/html', 502))).toMatchObject({ message, code: undefined });
  });

  test.each([
    ['SVC205', 404, /sidebar/u],
    ['PGRST103', 416, /first page/u],
    ['57014', 500, /timed out/u],
    ['42703', 400, /column/u],
    [undefined, 503, /again/u],
    ['XX000', 500, undefined],
  ])('there is specific advice for %s with status %i', (code, status, advice) => {
    const text = adviseOn({ code, message: '', details: undefined, hint: undefined }, status);
    expect(advice === undefined ? text === undefined : advice.test(text ?? '')).toBe(true);
  });
});

describe('keys in the table', () => {
  const size = { rows: 100, columns: 5, pageRows: 10 };
  test.each([
    ['ArrowUp', 0, 0, [-1, 0]],
    ['ArrowUp', -1, 0, [-1, 0]],
    ['ArrowDown', 99, 2, [99, 2]],
    ['ArrowLeft', 3, 0, [3, 0]],
    ['ArrowRight', 3, 1, [3, 2]],
    ['Home', 3, 4, [3, 0]],
    ['End', 3, 0, [3, 4]],
    ['PageDown', 95, 1, [99, 1]],
    ['PageUp', 4, 1, [0, 1]],
  ])('%s moves from row %i, column %i', (key, row, column, to) => {
    const moved = moveCell({ row, column }, { key, ctrlKey: false, metaKey: false }, size)!;
    expect([moved.row, moved.column]).toEqual(to);
  });

  test('Ctrl moves to the edge; other keys do not move', () => {
    const far = { ctrlKey: true, metaKey: false };
    expect(moveCell({ row: 5, column: 2 }, { key: 'End', ...far }, size)).toEqual({ row: 99, column: 4 });
    expect(moveCell({ row: 5, column: 2 }, { key: 'ArrowUp', ...far }, size)).toEqual({ row: -1, column: 2 });
    expect(moveCell({ row: 5, column: 2 }, { key: 'a', ...far }, size)).toBeUndefined();
  });
});

test('a text is split into lines', () => {
  const lines = ['a\nb\n', 'a\n\nb', '', '\n'].map((text) => {
    const split = splitLines(text);
    return Array.from({ length: split.count }, (_, line) => split.textAt(line));
  });
  expect(lines).toEqual([['a', 'b'], ['a', '', 'b'], [''], ['']]);
});

test('sizes and durations are formatted', () => {
  expect([999, 1200, 52_400, 12_345_678].map((bytes) => formatBytes(bytes))).toEqual([
    '999 B',
    '1.2 kB',
    '52 kB',
    '12 MB',
  ]);
  expect([0.42, 99.6, 1234].map((time) => formatMilliseconds(time))).toEqual(['0.4 ms', '100 ms', '1.2 s']);
});

test('the file extension follows from the media type', () => {
  const types = [
    'image/png',
    'image/svg+xml',
    'application/x-tar',
    'application/vnd.ms-excel',
    'application/octet-stream',
    '',
  ];
  expect(types.map((type) => extensionOf(type))).toEqual(['png', 'svg', 'tar', 'bin', 'bin', 'bin']);
});

test('pages of a download are joined, with the names once', () => {
  expect(joinCsv(['id,"a\n""b"\n1,2', 'id,"a\n""b"\n3,4\n'])).toBe('id,"a\n""b"\n1,2\n3,4');
  expect(joinCsv(['id\n1'])).toBe('id\n1');
  expect(JSON.parse(joinJson(['[{"id":1},\n {"id":2}]', '[{"id":3}]']))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(joinJson(['[]'])).toBe('[]');
});

// The pure parts of forms: bodies and requests from inputs, and the columns that errors concern.
import { describe, expect, test } from 'vitest';
import { callByGet, callByPost, isCalledByGet } from '../../explorer/src/forms/call-request.ts';
import { findColumnMismatches, previewCsv } from '../../explorer/src/forms/csv-preview.ts';
import { type FieldValue, NULL, textValue, UNSET } from '../../explorer/src/forms/field-value.ts';
import { chooseForm } from '../../explorer/src/forms/form-choice.ts';
import { findError } from '../../explorer/src/forms/form-error.ts';
import { changedValues, initialValues, listFields, renderBody } from '../../explorer/src/forms/form-fields.ts';
import { formInputFor } from '../../explorer/src/forms/form-input.ts';
import { revertUpdate } from '../../explorer/src/forms/inverse-requests.ts';
import { operationOn } from '../../explorer/src/forms/operation.ts';
import { renderRequest } from '../../explorer/src/forms/request-text.ts';
import {
  changeInPlaceRequest,
  deleteRequest,
  insertRequest,
  readRequest,
  dryRunOf,
  updateRequest,
  versionedTagOf,
  uploadRequest,
} from '../../explorer/src/forms/row-requests.ts';
import { fromJson, toJson } from '../../explorer/src/forms/value-json.ts';
import { toLocalTime, withOffset } from '../../explorer/src/forms/zoned-time.ts';
import { type JsonObject, parseJson } from '../../explorer/src/rows/json-value.ts';
import { renderUrl } from '../../explorer/src/url-state/render-url.ts';
import type {
  DescribedColumn,
  DescribedFunction,
  DescribedRelation,
  DescribedType,
} from '../../src/contract/schema-document.ts';

const TEXT: DescribedType = { name: 'text', category: 'text', isArray: false };
const INTEGER: DescribedType = { name: 'integer', category: 'number', isArray: false };
const DATE: DescribedType = { name: 'date', category: 'date', isArray: false };
const BOOLEAN: DescribedType = { name: 'boolean', category: 'boolean', isArray: false };
const JSONB: DescribedType = { name: 'jsonb', category: 'json', isArray: false };
const MOOD: DescribedType = { name: 'api.mood', category: 'enum', isArray: false, labels: ['good', 'bad'] };
const TEXTS: DescribedType = { name: 'text[]', category: 'text', isArray: true };
const INTEGERS: DescribedType = { name: 'integer[]', category: 'number', isArray: true };

const ALL = { select: true, insert: true, update: true };

function column(name: string, type: DescribedType, changes: Partial<DescribedColumn> = {}): DescribedColumn {
  return { name, type, isNullable: true, isGenerated: false, isComputed: false, may: ALL, ...changes };
}

const HOUSES: DescribedRelation = {
  name: 'houses',
  kind: 'table',
  may: { ...ALL, delete: true },
  key: ['id'],
  columns: [
    column('id', INTEGER, { isNullable: false, isGenerated: true, may: { ...ALL, insert: false, update: false } }),
    column('name', TEXT, { isNullable: false }),
    column('built', INTEGER, { default: '1900' }),
    column('tags', TEXTS),
    column('data', JSONB),
    column('secret', TEXT, { may: { select: false, insert: false, update: true } }),
    column('full_name', TEXT, { isComputed: true, may: { select: true, insert: false, update: false } }),
  ],
  relationships: [],
};

const TARGET = { relation: HOUSES, vendor: 'svc' };

function row(text: string): JsonObject {
  const value = parseJson(text);
  if (value?.kind !== 'object') throw new Error('no object');
  return value;
}

describe('a value', () => {
  test.each<[string, DescribedType, string]>([
    ['12.50', INTEGER, '12.50'],
    [' 9007199254740993 ', INTEGER, '9007199254740993'],
    ['-1e3', INTEGER, '-1e3'],
    ['NaN', INTEGER, '"NaN"'],
    ['.5', INTEGER, '".5"'],
    ['$5', { ...INTEGER, name: 'money' }, '"$5"'],
    ['true', BOOLEAN, 'true'],
    ['say "hi"\n', TEXT, String.raw`"say \"hi\"\n"`],
    ['', TEXT, '""'],
    ['bad', MOOD, '"bad"'],
    ['2026-01-01', DATE, '"2026-01-01"'],
    [' {"b": 1.50, "a": 2} ', JSONB, '{"b": 1.50, "a": 2}'],
    ['a\nb "c"', TEXTS, String.raw`["a", "b \"c\""]`],
    ['', TEXTS, '[]'],
    ['1\n2.50', INTEGERS, '[1, 2.50]'],
  ])('%j of type %o is sent as %s', (text, type, json) => {
    expect(toJson(text, type, formInputFor(type))).toEqual({ ok: true, value: json });
  });

  test.each<[string, DescribedType, string]>([
    ['12x', INTEGER, 'This is not a number.'],
    ['', INTEGER, 'A number is required.'],
    ['', DATE, 'A value is required.'],
    ['{a}', JSONB, 'This is not valid JSON.'],
    ['1\nx', INTEGERS, 'This is not a number. Enter one element per line.'],
  ])('%j of type %o is rejected', (text, type, error) => {
    expect(toJson(text, type, formInputFor(type))).toEqual({ ok: false, error });
  });

  test.each<[string, DescribedType, FieldValue]>([
    ['null', TEXT, NULL],
    ['"null"', TEXT, textValue('null')],
    ['12.50', INTEGER, textValue('12.50')],
    ['true', BOOLEAN, textValue('true')],
    ['["a", "b"]', TEXTS, textValue('a\nb')],
    ['["a", null]', TEXTS, textValue('["a", null]')],
    [String.raw`["a\nb"]`, TEXTS, textValue(String.raw`["a\nb"]`)],
    ['[[1, 2]]', INTEGERS, textValue('[\n  [1, 2]\n]')],
    ['"text"', JSONB, textValue('"text"')],
    ['{"b": 1.50, "a": []}', JSONB, textValue('{\n  "b": 1.50,\n  "a": []\n}')],
  ])('%s of type %o is shown in its input', (json, type, expected) => {
    const value = parseJson(json)!;
    expect(fromJson(value, formInputFor(type, value))).toEqual(expected);
  });

  test('is unchanged after conversion to an input and back', () => {
    for (const json of ['["a", null]', '[[1, 2]]', '["x"]', '[]']) {
      const value = parseJson(json)!;
      const input = formInputFor(TEXTS, value);
      const shown = fromJson(value, input);
      const sent = toJson(shown.kind === 'text' ? shown.text : '', TEXTS, input);
      expect(sent.ok && JSON.parse(sent.value)).toEqual(JSON.parse(json));
    }
  });
});

describe('the fields of a relation', () => {
  test('are the columns that the role can write', () => {
    const insert = listFields(HOUSES, undefined);
    expect(insert.fields.map((field) => [field.column.name, field.isRequired])).toEqual([
      ['name', true],
      ['built', false],
      ['tags', false],
      ['data', false],
    ]);
    expect([insert.generated, insert.withheld]).toEqual([['id'], ['secret']]);
    const update = listFields(HOUSES, row('{"id": 1, "name": "A"}'));
    expect(update.fields.map((field) => [field.column.name, field.isRequired])).toContainEqual(['secret', false]);
  });

  test('of a new row yield a body of the entered values', () => {
    const { fields } = listFields(HOUSES, undefined);
    const values = new Map<string, FieldValue>([
      ['name', textValue('The "Mill"')],
      ['tags', textValue('old\nred')],
      ['data', NULL],
    ]);
    expect(renderBody(fields, values)).toEqual({
      ok: true,
      value: '{\n  "name": "The \\"Mill\\"",\n  "tags": ["old", "red"],\n  "data": null\n}',
    });
  });

  test('report missing and invalid values', () => {
    const { fields } = listFields(HOUSES, undefined);
    const body = renderBody(fields, new Map([['built', textValue('x')]]));
    expect(!body.ok && [...body.error]).toEqual([
      ['name', 'A value is required.'],
      ['built', 'This is not a number.'],
    ]);
    const nulled = renderBody(fields, new Map([['name', NULL]]));
    expect(!nulled.ok && nulled.error.get('name')).toBe('Null is not allowed here.');
  });

  test('of an existing row yield a body of the changed values', () => {
    const { fields } = listFields(
      HOUSES,
      row('{"id": 1, "name": "A", "built": 1900, "tags": null, "data": {"a": 1.0}}'),
    );
    const values = initialValues(fields);
    expect(renderBody(fields, values)).toEqual({ ok: true, value: '{}' });
    const changed = new Map(values).set('built', textValue('1901')).set('tags', UNSET);
    expect(renderBody(fields, changed)).toEqual({ ok: true, value: '{\n  "built": 1901\n}' });
  });

  test('change values in place by an operation that suits the column', () => {
    const stored = row('{"id": 1, "name": "A", "built": 1900, "tags": null, "data": {"a": 1.0}}');
    const { fields } = listFields(HOUSES, stored);
    const offered = fields.map(({ column, initial }) => [column.name, operationOn(column, initial)]);
    expect(offered).toEqual([
      ['name', undefined],
      ['built', 'add'],
      ['tags', 'append'],
      ['data', 'merge'],
      ['secret', undefined],
    ]);
    const values = new Map(initialValues(fields))
      .set('built', textValue('-5', 'add'))
      .set('tags', textValue('x\ny', 'append'))
      .set('data', textValue('{"b": null}', 'merge'));
    expect(renderBody(fields, values)).toEqual({
      ok: true,
      value: '{\n  "built": {"$add": -5},\n  "tags": {"$append": ["x", "y"]},\n  "data": {"$merge": {"b": null}}\n}',
    });
    const literal = new Map(values).set('tags', NULL).set('data', textValue('{"$add": 1}'));
    expect(renderBody(fields, literal)).toMatchObject({
      value: '{\n  "built": {"$add": -5},\n  "data": {"$set": {"$add": 1}}\n}',
    });
    const wrong = renderBody(fields, new Map([['data', textValue('[1]', 'merge')]]));
    expect(!wrong.ok && wrong.error.get('data')).toBe('A JSON object is required.');
  });

  test('of a row that was read again keep what was entered, and nothing else of the earlier row', () => {
    const { fields: earlier } = listFields(HOUSES, row('{"id": 1, "name": "A", "built": 1900}'));
    const entered = changedValues(earlier, new Map(initialValues(earlier)).set('built', textValue('1901')));
    const { fields } = listFields(HOUSES, row('{"id": 1, "name": "B", "built": 1902}'));
    const values = initialValues(fields, entered);
    expect(values.get('name')).toEqual(textValue('B'));
    expect(renderBody(fields, values)).toEqual({ ok: true, value: '{\n  "built": 1901\n}' });
  });
});

describe('a request', () => {
  const ANSWER = [
    ['Accept', 'application/vnd.svc.object+json'],
    ['Prefer', 'return=representation'],
  ];
  const SELECT = 'select=id,name,built,tags,data';

  test('inserts, updates and deletes one row, and returns the readable columns', () => {
    expect(insertRequest(TARGET, '{}')).toEqual({
      method: 'POST',
      url: `/houses?${SELECT}`,
      headers: [['Content-Type', 'application/json'], ...ANSWER],
      body: '{}',
    });
    expect(updateRequest(TARGET, { url: '/houses?id=eq.3' }, '{}')).toMatchObject({
      method: 'PATCH',
      url: `/houses?id=eq.3&${SELECT}`,
    });
    const [contentType] = changeInPlaceRequest(TARGET, { url: '/houses?id=eq.3' }, '{}').headers;
    expect(contentType).toEqual(['Content-Type', 'application/vnd.svc.patch+json']);
    const tag = '"digest.16401.744.0-1"';
    expect(updateRequest(TARGET, { url: '/houses?id=eq.3', tag }, '{}').headers.at(-1)).toEqual(['If-Match', tag]);
    expect(versionedTagOf({ headers: [['etag', tag]] })).toBe(tag);
    expect(versionedTagOf({ headers: [['etag', '"digest"']] })).toBeUndefined();
    const deletion = { method: 'DELETE', url: `/houses?id=eq.3&${SELECT}`, headers: ANSWER, body: undefined };
    expect(deleteRequest(TARGET, '/houses?id=eq.3')).toEqual(deletion);
    expect(readRequest(TARGET, '/houses?id=eq.3').url).toBe(`/houses?id=eq.3&${SELECT}`);
  });

  test('returns nothing if the role cannot read', () => {
    const relation = { ...HOUSES, name: 'a/b c', may: { ...HOUSES.may, select: false } };
    expect(insertRequest({ relation, vendor: 'svc' }, '{}')).toMatchObject({
      url: '/a%2Fb%20c',
      headers: [['Content-Type', 'application/json'], ANSWER[0], ['Prefer', 'return=minimal']],
    });
  });

  test('that undoes a change addresses the row by the key it has now', () => {
    const undo = revertUpdate(
      HOUSES,
      ['id', 'name'],
      [{ row: row('{"id": 3, "name": "Elm"}'), before: ['3'], after: ['4'] }],
    );
    expect(undo?.requests).toMatchObject([
      { method: 'PATCH', url: '/houses?id=eq.4', body: expect.stringMatching(/"id": 3,\s+"name": "Elm"/u) },
    ]);
    expect([undo?.rows, undo?.restored]).toEqual([[{ before: ['4'], after: ['3'] }], ['3']]);
  });

  test('becomes a dry run with one more preference', () => {
    const upload = uploadRequest(HOUSES, 'a\n1\n', 'merge');
    expect(upload.headers).toEqual([
      ['Content-Type', 'text/csv'],
      ['Prefer', 'return=minimal, count=exact, resolution=merge-duplicates'],
    ]);
    expect(dryRunOf(upload).headers.at(-1)).toEqual([
      'Prefer',
      'return=minimal, count=exact, resolution=merge-duplicates, tx=rollback',
    ]);
    expect(dryRunOf({ method: 'DELETE', url: '/', headers: [], body: undefined }).headers).toEqual([
      ['Prefer', 'tx=rollback'],
    ]);
  });

  test('is previewed without the token, and truncates a long body', () => {
    const request = { method: 'POST', url: '/a', headers: [['Content-Type', 'text/csv']], body: 'x' } as const;
    expect(renderRequest(request, { schema: 'other', hasToken: true })).toBe(
      'POST /a\nContent-Type: text/csv\nContent-Profile: other\nAuthorization: Bearer …\n\nx',
    );
    const long = renderRequest({ ...request, body: 'x'.repeat(5000) }, { schema: undefined, hasToken: false });
    expect(long).toMatch(/x\n… and 1,000 more characters$/u);
  });
});

describe('a call', () => {
  const FIND: DescribedFunction = {
    name: 'find',
    isReadOnly: true,
    parameters: [
      { name: 'day', type: DATE, isRequired: true, isVariadic: false },
      { name: 'words', type: TEXTS, isRequired: false, isVariadic: false },
      { name: 'ids', type: INTEGERS, isRequired: false, isVariadic: true },
    ],
    result: { kind: 'void', isSet: false },
  };
  const VALUES = new Map([
    ['day', textValue('2026-01-01')],
    ['words', textValue('a,b\nc')],
    ['ids', textValue('1\n2')],
  ]);

  test('by GET is a URL', () => {
    const model = callByGet(FIND, VALUES);
    expect(model.ok && renderUrl(model.value)).toBe('/rpc/find?day=2026-01-01&words={"a,b",c}&ids=1&ids=2');
    expect(callByGet(FIND, new Map())).toEqual({ ok: false, error: new Map([['day', 'A value is required.']]) });
  });

  test('by POST has a body that always contains a variadic parameter', () => {
    const called = callByPost(FIND, new Map([['day', textValue('2026-01-01')]]));
    expect(called.ok && called.value).toEqual({
      method: 'POST',
      url: '/rpc/find',
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ],
      body: '{\n  "day": "2026-01-01",\n  "ids": []\n}',
    });
  });

  test.each([
    [JSONB, 'application/json'],
    [TEXT, 'text/plain'],
    [{ ...TEXT, name: 'xml' }, 'text/xml'],
  ])('of a function with one unnamed parameter sends the text as body: %o', (type, contentType) => {
    const parameters = [{ name: '', type, isRequired: true, isVariadic: false }];
    const one: DescribedFunction = { ...FIND, parameters };
    expect(isCalledByGet(one)).toBe(false);
    const called = callByPost(one, new Map([['', textValue('{"a":1}')]]));
    expect(called.ok && [called.value.body, called.value.headers[0]]).toEqual([
      '{"a":1}',
      ['Content-Type', contentType],
    ]);
  });
});

describe('an error of the server', () => {
  const REQUEST = { method: 'POST', url: '/a', headers: [], body: undefined } as const;

  function answered(status: number, body: unknown): ReturnType<typeof findError> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = { status, headers: [], text, content: new Blob([text]), bytes: text.length, milliseconds: 1 };
    return findError({ kind: 'answered', request: REQUEST, response });
  }

  test.each([
    [{ message: 'null value in column "name" of relation "houses" violates not-null constraint' }, ['name']],
    [{ message: 'x', details: 'Key (a, "b c")=(1, 2) already exists.' }, ['a', 'b c']],
    [{ message: 'x', details: 'Key (street)=(9) is not present in table "streets".' }, ['street']],
    [{ message: 'value too long for type character varying(5)', details: null }, []],
  ])('%o concerns the columns %o', (body, columns) => {
    expect(answered(400, body)?.columns).toEqual(columns);
  });

  test('is shown with the message of the server, and a missing row with a message of the explorer', () => {
    expect(answered(403, { message: 'no', details: 'd', hint: 'h' })).toMatchObject({
      message: 'no',
      details: 'd',
      hint: 'h',
    });
    expect(answered(406, { message: 'x', details: 'The result contains 0 rows' })?.message).toBe('No matching row.');
    expect(answered(412, { message: 'x' })?.message).toBe(
      'Somebody has changed or deleted this row since you opened it.',
    );
    expect(answered(502, '<html>')?.message).toBe('The server returned status 502.');
    expect(answered(201, '')).toBeUndefined();
    expect(findError({ kind: 'failed', request: REQUEST, reason: 'network' })?.message).toBe(
      'The server does not respond.',
    );
  });
});

describe('a CSV file', () => {
  test('shows its header and first rows', () => {
    const preview = previewCsv('name,"a ""b"""\r\nx,"1,\n2"\ny,\n');
    expect(preview).toEqual({
      ok: true,
      value: {
        header: ['name', 'a "b"'],
        rows: [
          ['x', '1,\n2'],
          ['y', ''],
        ],
        hasMore: false,
      },
    });
    const long = previewCsv(`a\n${'1\n'.repeat(200_000)}`);
    expect(long.ok && [long.value.rows.length, long.value.hasMore]).toEqual([5, true]);
  });

  test('is rejected with the message of the server', () => {
    expect(previewCsv('')).toEqual({ ok: false, error: 'CSV has no header line' });
    expect(previewCsv('a\n"b').ok).toBe(false);
  });

  test('is compared with the relation', () => {
    expect(findColumnMismatches(['built', 'id', 'nope'], HOUSES)).toEqual([
      'Unknown columns: id, nope',
      'Required, but not in the file: name',
    ]);
    expect(findColumnMismatches(['name'], HOUSES)).toEqual([]);
  });
});

describe('a timestamp', () => {
  test('is shown in the time zone of the browser and sent with its offset', () => {
    const local = toLocalTime('2026-03-01T09:30:00+00:00')!;
    expect(local).toMatch(/^2026-0\d-\d\dT\d\d:\d\d:00$/u);
    expect(withOffset(local)).toMatch(/[+-]\d\d:\d\d$/u);
    expect(new Date(withOffset(local)).toISOString()).toBe('2026-03-01T09:30:00.000Z');
  });

  test.each(['infinity', '0044-03-15T12:00:00+00:00 BC', '2026-03-01T09:30:00', 'x'])(
    '%s falls back to a text input',
    (text) => {
      expect(toLocalTime(text)).toBeUndefined();
    },
  );
});

describe('the form for selected rows', () => {
  const [id] = HOUSES.columns;
  const info = { type: id?.type, field: undefined, source: id, level: undefined };
  const level = { relation: HOUSES, columns: new Map([['id', info]]) };
  const rows = ['{"id": 3}', '{"id": 4}'].map((text) => ({ row: row(text), level, schema: undefined }));

  test('changes or deletes one row or several', () => {
    const choose = (action: 'edit' | 'delete', count: number): unknown =>
      chooseForm(action, HOUSES, rows.slice(0, count));
    expect(choose('edit', 1)).toMatchObject({ kind: 'change', rowUrl: '/houses?id=eq.3' });
    expect(choose('delete', 2)).toMatchObject({ kind: 'deleteRows', keys: [['3'], ['4']] });
    expect(choose('edit', 0)).toBeUndefined();
  });

  test.each(['edit', 'delete'] as const)('%s needs the privilege for it', (action) => {
    const relation = { ...HOUSES, may: { ...HOUSES.may, [action === 'edit' ? 'update' : 'delete']: false } };
    const kinds = (['edit', 'delete'] as const).map((one) => chooseForm(one, relation, rows)?.kind);
    expect(kinds).toEqual(action === 'edit' ? [undefined, 'deleteRows'] : ['changeRows', undefined]);
  });
});

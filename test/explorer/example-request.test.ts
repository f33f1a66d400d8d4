// The examples of reference pages: the requests that the role may send, with real or plausible values.
import { expect, test } from 'vitest';
import { functionExamples, relationExamples } from '../../explorer/src/reference/example-request.ts';
import { type JsonObject, parseJson } from '../../explorer/src/rows/json-value.ts';
import { describeColumn, describeFunction, describeRelation } from './support/describe-schema.ts';

const ALL = { select: true, insert: true, update: true };
const NOTES = describeRelation('notes', {
  may: { ...ALL, delete: true },
  columns: [
    describeColumn('id', 'number', { may: ALL, default: '1' }),
    describeColumn('title', 'text', { may: ALL }),
    describeColumn('size', 'number', { may: ALL, isGenerated: true }),
    describeColumn('pinned', 'timestamp', { may: ALL, isNullable: true }),
  ],
});

function rowOf(text: string): JsonObject {
  const value = parseJson(text);
  if (value?.kind !== 'object') throw new Error(text);
  return value;
}

function textsOf(examples: ReturnType<typeof relationExamples>): readonly string[] {
  return examples.map(({ request: { method, url, body } }) =>
    [method, url, ...(body === undefined ? [] : [body.replaceAll(/\s+/gu, ' ')])].join(' '),
  );
}

test('values are those of the first row', () => {
  expect(textsOf(relationExamples(NOTES, rowOf('{"id": 90071992547409931, "title": "a&b", "pinned": null}')))).toEqual([
    'GET /notes?limit=10',
    'GET /notes?id=eq.90071992547409931',
    'POST /notes { "title": "a&b" }',
    'PATCH /notes?id=eq.90071992547409931 { "title": "a&b" }',
    'POST /notes { "id": 90071992547409931, "title": "a&b" }',
    'DELETE /notes?id=eq.90071992547409931',
  ]);
});

test('without a row, values follow the types, and only permitted requests are shown', () => {
  const may = { select: false, insert: true, update: false, delete: false };
  expect(textsOf(relationExamples({ ...NOTES, may }, undefined))).toEqual(['POST /notes { "title": "text" }']);
  expect(textsOf(relationExamples({ ...NOTES, key: [] }, undefined))).toEqual([
    'GET /notes?limit=10',
    'POST /notes { "title": "text" }',
  ]);
});

test('a function is called with its required arguments, by GET only if it reads', () => {
  const type = { name: 'text[]', category: 'text', isArray: true } as const;
  const parameters = [
    { name: 'words', type, isRequired: true, isVariadic: false },
    { name: 'more', type: { ...type, isArray: false }, isRequired: false, isVariadic: false },
  ];
  expect(textsOf(functionExamples(describeFunction('find', { parameters })))).toEqual([
    'GET /rpc/find?words={text}',
    'POST /rpc/find { "words": ["text"] }',
  ]);
  expect(textsOf(functionExamples(describeFunction('change', { parameters, isReadOnly: false })))).toEqual([
    'POST /rpc/change { "words": ["text"] }',
  ]);
});

// The example requests of the start page, built from schemas.
import { expect, test } from 'vitest';
import { indexSchema } from '../../explorer/src/schema/schema-index.ts';
import { makeExamples } from '../../explorer/src/shell/examples.ts';
import { parseUrl } from '../../explorer/src/url-state/parse-url.ts';
import type { SchemaDocument } from '../../src/contract/schema-document.ts';
import {
  describeColumn,
  describeFunction,
  describeRelation,
  describeSchema,
  describeToMany,
  describeToOne,
} from './support/describe-schema.ts';

const ID = describeColumn('id', 'number');
const NAME = describeColumn('name', 'text');
const STREETS = describeRelation('streets', {
  columns: [ID, NAME],
  relationships: [describeToMany('houses', 'street_id')],
});
const HOUSES = describeRelation('houses', {
  columns: [
    ID,
    describeColumn('street_id', 'number'),
    describeColumn('built', 'number'),
    describeColumn('colour', 'text'),
  ],
  relationships: [describeToOne('streets', 'street_id'), describeToMany('residents', 'house_id')],
});
const RESIDENTS = describeRelation('residents', {
  columns: [ID, describeColumn('house_id', 'number'), NAME, describeColumn('moved_in', 'date')],
  relationships: [describeToOne('houses', 'house_id')],
});
const TOOLS = describeRelation('tools', {
  columns: [
    ID,
    describeColumn('condition', 'enum', {
      type: { name: 'condition', category: 'enum', isArray: false, labels: ['in repair', 'new'] },
    }),
  ],
});

function urlsOf(document: Partial<SchemaDocument>): readonly string[] {
  return makeExamples(indexSchema(describeSchema(document))).map(({ url }) => url);
}

test('a schema with relationships yields a list, a filter, an embed of both kinds, an order and a call', () => {
  const functions = [
    describeFunction('clean_up', { isReadOnly: false }),
    describeFunction('today', { result: { kind: 'row', isSet: true } }),
  ];
  expect(urlsOf({ relations: [TOOLS, STREETS, HOUSES, RESIDENTS], functions })).toEqual([
    '/houses?limit=20',
    '/tools?condition=eq.in%20repair&limit=20',
    '/houses?select=built,colour,streets(name),residents(name,moved_in)&limit=10',
    '/residents?select=name,moved_in&order=moved_in.desc.nullslast&limit=5',
    '/rpc/today?limit=20',
  ]);
});

test('the server parses every example', () => {
  const features = { aggregates: true, plans: false, rollback: false };
  const urls = urlsOf({ relations: [TOOLS, STREETS, HOUSES, RESIDENTS], features });
  expect(urls).toHaveLength(5);
  for (const url of urls) expect(parseUrl(url), url).toMatchObject({ ok: true });
});

test('without a read-only function, the last example counts rows, if aggregates are enabled', () => {
  const features = { aggregates: true, plans: false, rollback: false };
  expect(urlsOf({ relations: [TOOLS], features })).toContain('/tools?select=condition,count()');
  expect(urlsOf({ relations: [TOOLS] })).not.toContain('/tools?select=condition,count()');
});

test('examples do not use unreadable relations or names that need quotes', () => {
  const secret = describeRelation('secrets', { ...HOUSES, name: 'secrets', may: { ...HOUSES.may, select: false } });
  const odd = describeRelation('odd"name', { columns: [ID, NAME] });
  const quoted = describeRelation('boats', {
    columns: [
      describeColumn('total (net)', 'number'),
      describeColumn('hidden', 'text', { may: { select: false, insert: false, update: false } }),
      ID,
    ],
  });
  expect(urlsOf({ relations: [secret, odd, quoted] })).toEqual(['/boats?limit=20']);
});

test('the example of a function with required arguments links to its form', () => {
  const parameters = [{ name: 'near', type: ID.type, isRequired: true, isVariadic: false }];
  expect(urlsOf({ functions: [describeFunction('tools_near', { parameters })] })).toEqual(['/rpc/tools_near']);
});

test('an empty schema yields no examples', () => {
  expect(urlsOf({})).toEqual([]);
});

// URL fragments and the places they represent.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePlace, type Place, renderPlace } from '../../../explorer/src/url-state/place.ts';

const name = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { nil: undefined });
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), schema: name }),
  fc.record({ kind: fc.constant('history' as const), schema: name }),
  fc.record({ kind: fc.constant('map' as const), schema: name, focus: name }),
  fc.record({
    kind: fc.constantFrom('record' as const, 'reference' as const),
    schema: name,
    url: fc.constantFrom('/houses?id=eq.3', '/a%2Fb?"c%20d"=eq.%25'),
  }),
  fc.record({
    kind: fc.constant('request' as const),
    schema: name,
    url: fc.constantFrom('/houses', '/houses?limit=3', '/rpc/f?a=1', '/t?a->>"b c"=eq.%25%20é'.replace(' ', '%20')),
    view: fc.constantFrom('table' as const, 'json' as const, 'csv' as const, 'plan' as const),
  }),
);

test('a place is parsed back from its address, also as escaped by browsers', () => {
  fc.assert(
    fc.property(place, (one) => {
      const address = renderPlace(one);
      expect(parsePlace(address)).toEqual(one);
      expect(parsePlace(new URL(address, 'http://host/').hash)).toEqual(one);
    }),
    { numRuns: 1000 },
  );
});

test('any text is parsed as a place whose address can be parsed back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const one = parsePlace(text);
      expect(parsePlace(renderPlace(one))).toEqual(one);
    }),
    { numRuns: 1000 },
  );
});

test.each<readonly [string, Place]>([
  ['', { kind: 'start' }],
  ['#/../secrets', { kind: 'start' }],
  [
    '#/houses/..%2F..%2Fsecrets',
    { kind: 'request', schema: undefined, url: '/houses/..%2F..%2Fsecrets', view: 'table' },
  ],
  ['#', { kind: 'start' }],
  ['#/', { kind: 'start' }],
  ['#json', { kind: 'start' }],
  ['#@private', { kind: 'start', schema: 'private' }],
  ['#/houses?limit=3', { kind: 'request', schema: undefined, url: '/houses?limit=3', view: 'table' }],
  ['#json@private/houses', { kind: 'request', schema: 'private', url: '/houses', view: 'json' }],
  ['#@a%2Fb/houses', { kind: 'request', schema: 'a/b', url: '/houses', view: 'table' }],
  ['#what/houses', { kind: 'request', schema: undefined, url: '/houses', view: 'table' }],
  ['#record@api/houses?id=eq.3', { kind: 'record', schema: 'api', url: '/houses?id=eq.3' }],
  ['#record', { kind: 'start' }],
  ['#reference/rpc/near', { kind: 'reference', schema: undefined, url: '/rpc/near' }],
  ['#history@api', { kind: 'history', schema: 'api' }],
  ['#map', { kind: 'map', schema: undefined, focus: undefined }],
  ['#map@api/houses', { kind: 'map', schema: 'api', focus: 'houses' }],
  ['#access', { kind: 'access', schema: undefined, focus: undefined }],
  ['#access@api/houses', { kind: 'access', schema: 'api', focus: 'houses' }],
  ['#explain@api/houses?id=eq.3', { kind: 'explain', schema: 'api', url: '/houses?id=eq.3' }],
  ['#/t?a-%3E%3Eb=eq.%C3%A9%20%25', { kind: 'request', schema: undefined, url: '/t?a->>b=eq.é%20%25', view: 'table' }],
])('%s is parsed', (address, expected) => {
  expect(parsePlace(address)).toEqual(expected);
});

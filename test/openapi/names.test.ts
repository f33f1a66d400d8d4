// Names with arbitrary characters in component keys and references.
import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { componentName } from '../../src/extensions/openapi3/components.ts';
import { refTo } from '../../src/openapi/swagger/parameters.ts';

test('distinct names have distinct component keys with valid characters only', () => {
  const name = string({ unit: constantFrom('a', '2', '-', '.', '_', 'e', ' ', '\u{1F6A2}'), minLength: 1 });
  assert(
    property(name, name, (left, right) => {
      expect(componentName(left)).toMatch(/^[A-Za-z0-9_-]+$/u);
      expect(componentName(left) === componentName(right)).toBe(left === right);
    }),
  );
});

test.each([
  ['berth', '#/definitions/berth'],
  ['a b', '#/definitions/a%20b'],
  ['a/b~c', '#/definitions/a~1b~0c'],
  ['a#b%c', '#/definitions/a%23b%25c'],
  ['ü"[', '#/definitions/%C3%BC%22%5B'],
])('a reference to %s is escaped', (key, reference) => {
  expect(refTo('definitions', key)).toEqual({ $ref: reference });
});

// The entries of the sidebar and their links.
import { expect, test } from 'vitest';
import { indexSchema } from '../../explorer/src/schema/schema-index.ts';
import { listEntries, nameAt } from '../../explorer/src/shell/entries.ts';
import { pageTitle } from '../../explorer/src/shell/page-title.ts';
import { tableKeyOf } from '../../explorer/src/result/table-keys.ts';
import { shortcutOf } from '../../explorer/src/shell/shortcut.ts';
import type { Place } from '../../explorer/src/url-state/place.ts';
import { describeFunction, describeRelation, describeSchema } from './support/describe-schema.ts';

function at(url: string): Place {
  return { kind: 'request', schema: undefined, url, view: 'table' };
}

test('relations are in natural order, followed by functions, with one entry for all overloads', () => {
  const schema = describeSchema({
    relations: [describeRelation('t10', {}), describeRelation('t2', { kind: 'view', comment: 'Two' })],
    functions: [
      describeFunction('near', { isReadOnly: false }),
      describeFunction('near', { comment: 'Near' }),
      describeFunction('far', {}),
    ],
  });
  expect(
    listEntries(indexSchema(schema)).map(({ kind, name, comment, url, may }) => [kind, name, comment, url, may.update]),
  ).toEqual([
    ['view', 't2', 'Two', '/t2?limit=50', false],
    ['table', 't10', '', '/t10?limit=50', false],
    ['function', 'far', '', '/rpc/far', false],
    ['function', 'near', 'Near', '/rpc/near', true],
  ]);
});

test('any name links to its own place', () => {
  const name = 'a/b?c#d%20 <b>"שלום😀';
  const [entry] = listEntries(indexSchema(describeSchema({ relations: [describeRelation(name, {})] })));
  expect(nameAt(at(entry?.url ?? ''))).toBe(name);
});

test('the title shows the place', () => {
  expect(pageTitle({ kind: 'start' })).toBe('Rowhouse');
  expect(pageTitle(at('/rpc/near?house=1'))).toBe('near · Rowhouse');
  expect(pageTitle({ kind: 'map', schema: undefined, focus: 'houses' })).toBe('Map: houses · Rowhouse');
});

test('shortcuts work with Caps Lock', () => {
  const pressed = { key: 'Z', ctrlKey: true, altKey: false, shiftKey: false, metaKey: false, defaultPrevented: false };
  expect(shortcutOf(pressed, false)).toBe('undo');
  expect(shortcutOf({ ...pressed, ctrlKey: false, key: 'B' }, false)).toBe('builder');
  expect(shortcutOf({ ...pressed, ctrlKey: false, key: 'Escape' }, false)).toBe('cancel');
  expect(tableKeyOf(pressed, true)).toBe('undo');
  expect(tableKeyOf({ ...pressed, ctrlKey: false, key: 'E' }, true)).toBe('edit');
  expect(tableKeyOf({ ...pressed, ctrlKey: false, key: 'F2' }, true)).toBe('editCell');
});

test('shortcuts are ignored in inputs and with Ctrl, except for Ctrl Z', () => {
  const pressed = { key: 'b', ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, defaultPrevented: false };
  expect(shortcutOf(pressed, false)).toBe('builder');
  expect(shortcutOf(pressed, true)).toBeUndefined();
  expect(shortcutOf({ ...pressed, ctrlKey: true }, false)).toBeUndefined();
  expect(shortcutOf({ ...pressed, key: 'x' }, false)).toBeUndefined();
  const undo = { ...pressed, key: 'z', ctrlKey: true };
  expect(shortcutOf(undo, false)).toBe('undo');
  expect(shortcutOf(undo, true)).toBeUndefined();
  expect(shortcutOf({ ...undo, shiftKey: true }, false)).toBeUndefined();
  expect(shortcutOf({ ...undo, shiftKey: true, key: 'Z' }, false)).toBeUndefined();
});

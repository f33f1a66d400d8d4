// Edits of a request by checkboxes, paths and embeds, and parameters that the builder does not show.
import { describe, expect, test } from 'vitest';
import {
  addPlainColumn,
  nameColumn,
  removePlainColumn,
  selectAll,
  selectedColumns,
  selectNone,
} from '../../../explorer/src/builder/edit-items.ts';
import { parsePath, renderSteps } from '../../../explorer/src/builder/json-path.ts';
import { relationshipOf, sourceOfEmbed, sourceOfTarget } from '../../../explorer/src/builder/level.ts';
import { describeUnshown } from '../../../explorer/src/builder/unshown.ts';
import { setAlias } from '../../../explorer/src/url-state/edit-columns.ts';
import { embedAt } from '../../../explorer/src/url-state/levels.ts';
import { parseUrl } from '../../../explorer/src/url-state/parse-url.ts';
import type { QueryModel } from '../../../explorer/src/url-state/query-model.ts';
import { renderUrl } from '../../../explorer/src/url-state/render-url.ts';
import { columnOf, relationOf, schemaOf } from './support.ts';

const columns = [columnOf('id', 'number'), columnOf('name', 'text'), columnOf('label', 'text', { isComputed: true })];

function read(url: string): QueryModel {
  const model = parseUrl(url);
  if (!model.ok) throw new Error(model.error.message);
  return model.value;
}

describe('checkboxes of columns', () => {
  test('an asterisk selects all columns except computed ones', () => {
    const { select } = read('/houses').params;
    expect([...selectedColumns(select, columns)]).toEqual(columns.slice(0, 2));
  });

  test('deselecting a column of an asterisk names the others', () => {
    const model = read('/houses?select=*,n:count(),streets(name)');
    const changed = removePlainColumn({ model, path: [], columns }, 'id');
    expect(renderUrl(changed)).toBe('/houses?select=name,n:count(),streets(name)');
  });

  test('an added column precedes other items', () => {
    const changed = addPlainColumn(read('/houses?select=id,n:count(),streets(name)'), [], 'name');
    expect(renderUrl(changed)).toBe('/houses?select=id,name,n:count(),streets(name)');
  });

  test('selecting all replaces only bare names', () => {
    const changed = selectAll(read('/houses?select=id,n:name,id.max(),streets(name)'), []);
    expect(renderUrl(changed)).toBe('/houses?select=*,n:name,id.max(),streets(name)');
  });

  test('deselecting all keeps one column at the top level and none within an embed', () => {
    const model = read('/houses?select=*,streets(*)');
    expect(renderUrl(selectNone(model, [], columns))).toBe('/houses?select=id,streets(*)');
    expect(renderUrl(selectNone(model, ['streets'], columns))).toBe('/houses?select=*,streets()');
  });

  test('editing a column of an asterisk creates a separate item', () => {
    const { model, address } = nameColumn({ model: read('/houses'), path: [], columns }, 'name');
    expect(renderUrl(setAlias(model, address, 'n'))).toBe('/houses?select=id,n:name');
  });
});

describe('JSON paths', () => {
  test.each(['', '->a', '->>a', '->0->>"b c:d"', '->-1'])('%s is parsed', (text) => {
    expect(renderSteps(parsePath(text) ?? [])).toBe(text);
  });

  test.each(['a', '->', '->a::int', '->a,b', '->a.max()', '(b)'])('%s is rejected', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });
});

describe('the source of an embed', () => {
  const houses = relationOf(
    'houses',
    [columnOf('id', 'number')],
    [
      {
        address: 'people!houses_owner_fkey',
        target: 'people',
        isToOne: true,
        kind: 'manyToOne',
        columns: [['owner', 'id']],
        constraint: 'houses_owner_fkey',
      },
      {
        address: 'people!lets',
        target: 'people',
        isToOne: false,
        kind: 'manyToMany',
        columns: [],
        junction: 'lets',
      },
      { address: 'far', target: 'far', schema: 'other', isToOne: true, kind: 'manyToOne', columns: [['far_id', 'id']] },
    ],
  );
  const people = relationOf('people', columns);
  const schema = schemaOf(houses, people);
  const source = sourceOfTarget(schema, { kind: 'relation', name: 'houses' });

  test.each([
    ['people!houses_owner_fkey', 'people!houses_owner_fkey'],
    ['p:people!owner', 'people!houses_owner_fkey'],
    ['owner', 'people!houses_owner_fkey'],
    ['...people!lets', 'people!lets'],
    ['people!unknown', undefined],
  ])('is found for %s', (written, address) => {
    const item = read(`/houses?select=${written}(*)`).params.select[0];
    expect(item?.kind === 'embed' || item?.kind === 'spread').toBe(true);
    const embed = embedAt(read(`/houses?select=x:${written.replace(/^\.\.\.|^.*:/u, '')}(*)`), ['x'])!;
    expect(relationshipOf(source, embed)?.address).toBe(address);
  });

  test('has columns if the relation is known', () => {
    const known = embedAt(read('/houses?select=owner(*)'), ['owner'])!;
    const far = embedAt(read('/houses?select=far(*)'), ['far'])!;
    expect(sourceOfEmbed(schema, source, known)).toEqual({ relation: people, columns });
    expect(sourceOfEmbed(schema, source, far)).toEqual({ relation: undefined, columns: [] });
  });
});

describe('unshown parameters', () => {
  test('are arguments, parameters of writes, and parameters for embeds that do not exist', () => {
    const model = read('/rpc/f?a=1&select=*,x(y)&columns=b&x.y=eq.1&z.y=eq.1&z.order=y&z.limit=1&limit=2');
    expect(describeUnshown(model)).toEqual(['a=1', 'z.y=eq.1', 'z.order=y', 'z.limit=1', 'columns=b']);
    expect(describeUnshown(read('/houses?select=x(y)&x.y=eq.1'))).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { runSlices } from '../../src/util/slices.ts';
import { LazyObject, type Member, renderJsonInSlices } from '../../src/openapi/document/json-document.ts';

function render(members: Iterable<Member>): string {
  return new TextDecoder().decode(runSlices(renderJsonInSlices(new LazyObject(members))));
}

test('members are written in order, nested and escaped, without undefined ones', () => {
  const inner = new LazyObject([
    ['a"b', [1, null]],
    ['none', undefined],
  ]);
  const members: readonly Member[] = [
    ['gone', undefined],
    ['first', 'é'],
    ['inner', inner],
    ['empty', new LazyObject([])],
  ];
  expect(render(members)).toBe('{"first":"é","inner":{"a\\"b":[1,null]},"empty":{}}');
  expect(render([])).toBe('{}');
});

test('members are created one slice at a time', () => {
  let made = 0;
  function* count(): Generator<Member> {
    while (made < 1000) {
      made += 1;
      yield [`n${made}`, made];
    }
  }
  const slices = renderJsonInSlices(new LazyObject(count()));
  slices.next();
  expect(made).toBe(8);
  let steps = 1;
  let step = slices.next();
  while (step.done !== true) {
    steps += 1;
    step = slices.next();
  }
  expect(steps).toBe(126);
  expect(Object.keys(JSON.parse(new TextDecoder().decode(step.value)) as object)).toHaveLength(1000);
});

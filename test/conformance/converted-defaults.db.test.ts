// Columns with a type that the database converts from JSON take their default unconverted.
import { expect, test } from 'vitest';
import { serveWriting } from './serve.ts';
import { use } from '../support/use.ts';

const FIXTURE = `
  create table api.buoys (id int primary key, hull api.hue default 255, flag api.hue);
  grant all on api.buoys to web_anon;`;

const service = await use(serveWriting({}, FIXTURE));

const PREFER = 'missing=default, return=representation';

test('W129 missing=default converts values that were sent, not defaults', async () => {
  const body = [{ id: 1 }, { id: 2, hull: '#00000a' }, { id: 3, hull: null, flag: '#00000b' }];
  const response = await service.send({
    method: 'POST',
    path: '/buoys?columns=id,hull,flag',
    headers: { Prefer: PREFER },
    body,
  });
  expect([response.status, JSON.parse(response.body.toString())]).toEqual([
    201,
    [
      { id: 1, hull: '#0000ff', flag: null },
      { id: 2, hull: '#00000a', flag: null },
      { id: 3, hull: null, flag: '#00000b' },
    ],
  ]);
});

for (const body of [{}, [{}]]) {
  test(`W129 a PATCH with ${JSON.stringify(body)} and an upsert do not convert defaults either`, async () => {
    const changed = await service.send({
      method: 'PATCH',
      path: '/buoys?id=eq.2&columns=hull,flag&select=hull,flag',
      headers: { Prefer: PREFER },
      body,
    });
    expect([changed.status, JSON.parse(changed.body.toString())]).toEqual([200, [{ hull: '#0000ff', flag: null }]]);
    const merged = await service.send({
      method: 'POST',
      path: '/buoys?columns=id,hull&select=hull',
      headers: { Prefer: `resolution=merge-duplicates, ${PREFER}` },
      body: { id: 3 },
    });
    expect([merged.status, JSON.parse(merged.body.toString())]).toEqual([200, [{ hull: '#0000ff' }]]);
  });
}

// Unusual writes: limits with many digits, and array elements that are not objects.
import { expect, test } from 'vitest';
import type { ConformanceStep } from './conformance-case.ts';
import { serveWriting } from './serve.ts';
import { use } from '../support/use.ts';

const service = await use(serveWriting({ 'db-tx-end': 'rollback' }));

async function send(step: ConformanceStep): Promise<readonly unknown[]> {
  const { status, headers, body } = await service.send(step);
  const values = ['preference-applied', 'proxy-status', 'content-range'].map((name) => headers.get(name)?.[0]);
  return [status, ...values, body.toString()];
}

function change(limit: string): Promise<readonly unknown[]> {
  const headers = { Prefer: `handling=strict, max-affected=${limit}` };
  return send({ method: 'PATCH', path: '/depots', headers, body: { city: 'Oslo' } });
}

test.each(['1234567890123456', '9007199254740993', '99999999999999999999'])(
  'W147 max-affected=%s is applied and reported with all digits',
  async (limit) => {
    const applied = `handling=strict, max-affected=${limit}`;
    expect(await change(limit)).toEqual([204, applied, undefined, '0-1/*', '']);
  },
);

test('W152 any change exceeds a negative max-affected with many digits', async () => {
  expect(await change('-99999999999999999999')).toEqual([
    400,
    undefined,
    'rowhouse; error=SVC124',
    undefined,
    '{"code":"SVC124","details":"The query affects 2 rows","hint":null,"message":"Query result exceeds max-affected preference constraint"}',
  ]);
});

const MIXED = [
  { method: 'POST', path: '/parts?columns=code,label', body: '[{"code":"m1"},5]' },
  { method: 'POST', path: '/parts?columns=code,label', body: '[[{"code":"m1"}]]' },
  { method: 'PATCH', path: '/parts?id=eq.1&columns=label', body: '[null]' },
];

test.each(MIXED)('W46 missing=default: the elements of $body are not objects', async (step) => {
  const headers = { Prefer: 'missing=default', 'Content-Type': 'application/json' };
  expect(await send({ ...step, headers })).toEqual([
    400,
    undefined,
    'rowhouse; error=22023',
    undefined,
    '{"code":"22023","details":null,"hint":null,"message":"argument of jsonb_to_recordset must be an array of objects"}',
  ]);
});

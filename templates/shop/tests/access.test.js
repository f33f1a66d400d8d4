// What visitors and customers may do. Each test is a transaction that is rolled back: `npm test`.
import test from 'node:test';
import assert from 'node:assert/strict';
import { expectAccess, openProject } from 'rowhouse/testing';

const project = await openProject();
const ann = { role: 'web_user', sub: 'ann' };

const READ_ONLY = { insert: 'none', update: 'none', delete: 'none' };

test(
  'everyone sees what is listed, and customers their own orders',
  project.test(async (as, session) => {
    await expectAccess(session, {
      products: {
        web_anon: { select: { own: [1, 2, 3] }, ...READ_ONLY },
        web_user: { claims: { sub: 'ann' }, select: { own: [1, 2, 3] }, ...READ_ONLY },
      },
      orders: { web_anon: 'none', web_user: { claims: { sub: 'ann' }, select: { own: [1] }, ...READ_ONLY } },
      order_items: {
        web_anon: 'none',
        web_user: {
          claims: { sub: 'ann' },
          select: {
            own: [
              [1, 1],
              [1, 3],
            ],
          },
          ...READ_ONLY,
        },
      },
      'rpc/place_order': { web_anon: { args: { items: [] }, call: 'none' } },
    });
    assert.deepEqual((await as(ann).get('/order_totals?select=id,total')).rows, [{ id: 1, total: 63.9 }]);
  }),
);

test(
  'an order takes from the stock, and no more than there is',
  project.test(async (as) => {
    const order = (product, quantity) => as(ann).rpc('place_order', { items: [{ product, quantity }] });
    assert.equal((await order(2, 4)).status, 200);
    assert.deepEqual((await as.nobody.get('/products?id=eq.2&select=stock')).rows, [{ stock: 1 }]);
    assert.equal((await order(2, 2)).body.code, '23514');
    assert.equal((await order(4, 1)).body.code, 'P0002');
    assert.equal((await as(ann).get('/orders')).rows.length, 2);
  }),
);

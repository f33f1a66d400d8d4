// The limits of a server are divided among its workers.
import { expect, test } from 'vitest';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { shareConfig } from '../../src/workers/messages.ts';

test.each([
  [10, 4, [3, 3, 2, 2]],
  [10, 2, [5, 5]],
  [5, 2, [3, 2]],
  [3, 3, [1, 1, 1]],
  [1, 3, [1, 1, 1]],
])('%i is shared by %i workers as %j', (total, count, shares) => {
  const config = { dbPool: total, serverMaxRequests: total, serverMaxConnections: total, dbMaxRows: 7 } as AppConfig;
  const shared = shares.map((_, index) => shareConfig(config, { index, count }));
  expect(shared.map(({ dbPool }) => dbPool)).toEqual(shares);
  expect(shared.map(({ serverMaxRequests }) => serverMaxRequests)).toEqual(shares);
  expect(shared.map(({ serverMaxConnections }) => serverMaxConnections)).toEqual(shares);
  expect(shared.every(({ dbMaxRows }) => dbMaxRows === 7)).toBe(true);
});

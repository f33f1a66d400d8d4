// Bursts of requests, and that the event loop handles other events in between.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type HttpExchange, RequestScheduler } from '../../src/http/limits/pipeline-queue.ts';

function createExchanges(count: number): readonly (HttpExchange & { incoming: { socket: { destroyed: boolean } } })[] {
  return Array.from({ length: count }, () => ({ incoming: { socket: { destroyed: false } } })) as never;
}

test('a thousand simultaneous requests start in order, 32 per turn of the event loop', async () => {
  const begun: HttpExchange[] = [];
  const scheduler = new RequestScheduler((exchange) => begun.push(exchange));
  const exchanges = createExchanges(1000);
  for (const exchange of exchanges) scheduler.schedule(exchange);
  for (let turn = 1; turn <= 32; turn += 1) {
    expect(begun).toHaveLength(Math.min(1000, turn * 32));
    await setImmediate();
  }
  expect(begun.every((exchange, index) => exchange === exchanges[index])).toBe(true);
});

test('requests that arrive while others wait do not overtake them', async () => {
  const begun: HttpExchange[] = [];
  const scheduler = new RequestScheduler((exchange) => begun.push(exchange));
  const exchanges = createExchanges(100);
  for (const exchange of exchanges.slice(0, 80)) scheduler.schedule(exchange);
  await setImmediate();
  for (const exchange of exchanges.slice(80)) scheduler.schedule(exchange);
  while (begun.length < 100) await setImmediate();
  expect(begun.every((exchange, index) => exchange === exchanges[index])).toBe(true);
});

test('a request whose client disconnects while it waits is not started', async () => {
  const begun: HttpExchange[] = [];
  const scheduler = new RequestScheduler((exchange) => begun.push(exchange));
  const exchanges = createExchanges(100);
  for (const exchange of exchanges) scheduler.schedule(exchange);
  for (const { incoming } of exchanges.slice(32, 80)) incoming.socket.destroyed = true;
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  expect(begun).toEqual([...exchanges.slice(0, 32), ...exchanges.slice(80)]);
});

// A storm of requests, and that what else the event loop has to do comes in between.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Arrivals } from '../../src/server/arrivals.ts';
import type { Visit } from '../../src/server/turns.ts';

function createVisits(count: number): readonly (Visit & { incoming: { socket: { destroyed: boolean } } })[] {
  return Array.from({ length: count }, () => ({ incoming: { socket: { destroyed: false } } })) as never;
}

test('a thousand requests at once begin in order, 32 in each turn of the event loop', async () => {
  const begun: Visit[] = [];
  const arrivals = new Arrivals((visit) => begun.push(visit));
  const visits = createVisits(1000);
  for (const visit of visits) arrivals.arrive(visit);
  for (let turn = 1; turn <= 32; turn += 1) {
    expect(begun).toHaveLength(Math.min(1000, turn * 32));
    await setImmediate();
  }
  expect(begun.every((visit, index) => visit === visits[index])).toBe(true);
});

test('what comes while others wait does not come before them', async () => {
  const begun: Visit[] = [];
  const arrivals = new Arrivals((visit) => begun.push(visit));
  const visits = createVisits(100);
  for (const visit of visits.slice(0, 80)) arrivals.arrive(visit);
  await setImmediate();
  for (const visit of visits.slice(80)) arrivals.arrive(visit);
  while (begun.length < 100) await setImmediate();
  expect(begun.every((visit, index) => visit === visits[index])).toBe(true);
});

test('whose client has left while it waited is not begun', async () => {
  const begun: Visit[] = [];
  const arrivals = new Arrivals((visit) => begun.push(visit));
  const visits = createVisits(100);
  for (const visit of visits) arrivals.arrive(visit);
  for (const { incoming } of visits.slice(32, 80)) incoming.socket.destroyed = true;
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  expect(begun).toEqual([...visits.slice(0, 32), ...visits.slice(80)]);
});

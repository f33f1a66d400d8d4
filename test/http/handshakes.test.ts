// Connections that are being established with a port, in the kernel's table of sockets.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForHandshakes } from '../../src/http/listen/handshakes.ts';
import { readTcpTable } from '../../src/http/listen/tcp-table.ts';
import { useFolder } from '../support/use.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const LISTENING =
  '0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 48151 1 0000 100 0 0 10 0';
/** On port 3000 (0BB8), from a client whose last byte of the address is given. */
const handshake = (client: string): string =>
  `0100007F:0BB8 0A4D09${client}:C350 03 00000000:00000000 01:00000063 00000000     0        0 0 2 0000`;
const ON_OTHER_PORT = handshake('01').replace('0BB8', '0BB9');

const folder = useFolder();
const table = path.join(folder, 'tcp');
function write(...rows: readonly string[]): void {
  writeFileSync(table, HEAD + rows.map((row, index) => `${String(index).padStart(4)}: ${row}\n`).join(''));
}

// The time limit is reached only when a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());
test('the rows of the table are read in order, however many there are', () => {
  write(LISTENING, ...Array.from({ length: 2000 }, () => handshake('02')));
  const [first, ...others] = readTcpTable(table);
  expect(first).toEqual({ local: '0100007F:0BB8', remote: '00000000:0000', state: 'listening', inode: '48151' });
  expect(others).toHaveLength(2000);
  expect(new Set(others.map(({ remote, state }) => `${state} ${remote}`))).toEqual(
    new Set(['handshake 0A4D0902:C350']),
  );
  expect([...readTcpTable(path.join(folder, 'tcp6'))]).toEqual([]);
});

test('O213 without a handshake of the port there is nothing to wait for', async () => {
  write(LISTENING, ON_OTHER_PORT);
  await waitForHandshakes(3000, [table]);
});

test('O213 handshakes in progress are awaited, those that begin later are not', async () => {
  write(LISTENING, handshake('02'), handshake('03'));
  const events: string[] = [];
  const ended = waitForHandshakes(3000, [path.join(folder, 'tcp6'), table]).then(() => events.push('ended'));
  await setTimeout(50);
  events.push('one of two is established');
  write(LISTENING, handshake('03'), handshake('04'));
  await setTimeout(50);
  events.push('both are established');
  write(LISTENING, handshake('04'));
  await ended;
  expect(events).toEqual(['one of two is established', 'both are established', 'ended']);
});

test('O213 a handshake that does not end is awaited for a quarter of a second', async () => {
  write(LISTENING, handshake('02'));
  const events: string[] = [];
  const ended = waitForHandshakes(3000, [table]).then(() => events.push('ended'));
  await setTimeout(50);
  events.push('time is over');
  vi.advanceTimersByTime(250);
  await ended;
  expect(events).toEqual(['time is over', 'ended']);
});

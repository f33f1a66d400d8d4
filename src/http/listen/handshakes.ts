// Waits for connections that clients are establishing with a port, which no listening socket may lose.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { IPV4_TABLE, IPV6_TABLE, readTcpTable } from './tcp-table.ts';

/** After this time the remaining clients are lost or very far away. */
const TIMEOUT_MS = 250;
/** Time between two looks at the table, and until handshakes that are beginning are in it. */
const PAUSE_MS = 5;
/** Rows of the table that are read at a stretch. */
const STRETCH = 1000;

/** Resolves when the handshakes in progress at the call have ended, but not later than after 250 ms. */
export async function waitForHandshakes(
  port: number,
  tables: readonly string[] = [IPV4_TABLE, IPV6_TABLE],
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  await setTimeout(PAUSE_MS);
  let pending = await findHandshakes(port, tables);
  // Others have begun since, with the sockets that remain.
  while (pending.size > 0 && performance.now() < end) {
    await setTimeout(PAUSE_MS);
    const current = await findHandshakes(port, tables);
    pending = new Set([...pending].filter((client) => current.has(client)));
  }
}

/** @returns the addresses of the clients */
async function findHandshakes(port: number, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const clients = new Set<string>();
  let count = 0;
  for (const table of tables) {
    for (const { state, local, remote } of readTcpTable(table)) {
      if (state === 'handshake' && local.endsWith(suffix)) clients.add(remote);
      count += 1;
      if (count % STRETCH === 0) await setImmediate();
    }
  }
  return clients;
}

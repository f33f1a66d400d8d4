// Reads the kernel's tables of TCP sockets (https://www.kernel.org/doc/Documentation/networking/proc_net_tcp.txt).
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

export type TcpState = 'listening' | 'handshake' | 'other';

export interface TcpRow {
  /** Hexadecimal, as the table has it: `0100007F:0BB8`. */
  readonly local: string;
  readonly remote: string;
  readonly state: TcpState;
  readonly inode: string;
}

export const IPV4_TABLE = '/proc/self/net/tcp';
export const IPV6_TABLE = '/proc/self/net/tcp6';

const ROW =
  /^ *\d+: ([\dA-F]+:[\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) ([\dA-F]{2}) [\dA-F:]+ [\dA-F:]+ +[\dA-F]+ +\d+ +\d+ (\d+)/u;

const STATES: Readonly<Record<string, TcpState>> = { '03': 'handshake', '0A': 'listening' };

/** More than the kernel returns per call. */
const CHUNK_SIZE = 16_384;

/**
 * Yields the rows in the order of the table, in which listening sockets come first, and reads no more of it than is asked
 * for: a busy machine has tens of thousands of other sockets. Yields nothing if there is no such table, as without IPv6.
 */
export function* readTcpTable(path: string): Generator<TcpRow, void, undefined> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
    let rest = '';
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const lines = (rest + chunk.toString('latin1', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, local, remote, state = '', inode] = ROW.exec(line) ?? [];
        if (local === undefined || remote === undefined || inode === undefined) continue;
        yield { local, remote, state: STATES[state] ?? 'other', inode };
      }
    }
  } finally {
    closeSync(file);
  }
}

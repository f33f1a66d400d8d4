// The process that owns the cluster of a project's tests, so that it outlives each of their processes. It ends the cluster,
// and itself, when no client has been there for ten seconds (`project.md` §5 item 1).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { renderEmbeddedError } from '../../embedded/cluster/embedded-error.ts';
import { withConnection } from '../../embedded/script/sql-session.ts';
import { listDataFolders } from '../../project/folder/tools-folder.ts';
import { startCluster } from '../../project/run/project-cluster.ts';
import { CLUSTER_PLACE, END_ABSENCE, type KeeperReport, TRY_ABSENCE } from './cluster-rules.ts';

const IDLE_MS = 10_000;
/** For the first client. */
const ENTRY_MS = 60_000;
const PAUSE_MS = 250;

/** Nothing in it has to survive a crash, and no test leaves rows to be vacuumed. */
const SETTINGS: Readonly<Record<string, string>> = {
  autovacuum: 'off',
  cluster_name: 'rowhouse-testing',
  fsync: 'off',
  full_page_writes: 'off',
  jit: 'off',
  max_connections: '200',
  max_locks_per_transaction: '512',
  max_wal_senders: '0',
  shared_buffers: '64MB',
  synchronous_commit: 'off',
  wal_level: 'minimal',
};

/**
 * Resolves when the cluster has ended.
 *
 * @param root of the project
 * @param idleMs after the last client, before the cluster ends
 */
export async function keepCluster(
  root: string,
  report: (report: KeeperReport) => void,
  idleMs: number = IDLE_MS,
): Promise<void> {
  const started = await startCluster(listDataFolders(root, CLUSTER_PLACE), SETTINGS);
  if (!started.ok) {
    const { error } = started;
    report(error.kind === 'folderInUse' ? { kind: 'busy' } : { kind: 'failed', message: renderEmbeddedError(error) });
    return;
  }
  const { uri, stop } = started.value;
  report({ kind: 'ready' });
  // The connection is lost if somebody else ends the cluster.
  await withConnection(uri, (client) => awaitAbsence(client, idleMs, stop)).catch(() => undefined);
  await stop();
}

/** Ends the cluster while it holds the lock of the absence, so that no client enters any more. */
async function awaitAbsence(client: Client, idleMs: number, stop: () => Promise<void>): Promise<void> {
  let idleSince = Date.now();
  let limit = ENTRY_MS;
  for (;;) {
    const { rows } = await client.query<[boolean]>({ text: TRY_ABSENCE, rowMode: 'array' });
    const isAbsent = rows[0]?.[0] === true;
    if (!isAbsent) [idleSince, limit] = [Date.now(), idleMs];
    if (isAbsent && Date.now() - idleSince >= limit) return stop();
    if (isAbsent) await client.query(END_ABSENCE);
    await sleep(PAUSE_MS);
  }
}

// The table that is watched, and one like it that nobody writes to: rooms with a few rows each, in a PostgreSQL whose log
// can be decoded.
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { ROLE } from '../servers/bench-database.ts';
import { type BenchCluster, startPrivateCluster } from '../servers/bench-cluster.ts';

export const PUBLICATION = 'bench_live';
export const ROWS_PER_ROOM = 10;

const SETTINGS = { wal_level: 'logical', fsync: 'on', synchronous_commit: 'on' };

/** @param rooms number of rooms, from 1 */
export async function startLiveDatabase(rooms: number): Promise<BenchCluster> {
  const cluster = await startPrivateCluster(SETTINGS);
  await withConnection(cluster.uri, async (client) => {
    await client.query(`
      CREATE ROLE ${ROLE};
      CREATE TABLE live_row (id int PRIMARY KEY, room int NOT NULL, seq bigint NOT NULL, note text NOT NULL);
      INSERT INTO live_row SELECT n, n % ${rooms} + 1, 0, 'A note of number ' || n
        FROM generate_series(0, ${rooms * ROWS_PER_ROOM - 1}) n;
      CREATE INDEX ON live_row (room);
      CREATE TABLE idle_row (LIKE live_row INCLUDING ALL);
      INSERT INTO idle_row TABLE live_row;
      GRANT SELECT ON live_row, idle_row TO ${ROLE};
      CREATE PUBLICATION ${PUBLICATION} FOR TABLE live_row, idle_row;`);
    await client.query('VACUUM ANALYZE');
  });
  return cluster;
}

// Creates a database with the tables of the cases: Chinook if its file exists next to the repository, otherwise generated
// tables with the same names and sizes.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { withConnection, withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { openCluster, startPrivateCluster } from './bench-cluster.ts';
import { renderLargeTable } from './large-data.ts';

export interface BenchDatabase {
  readonly uri: string;
  /** Connection string over a Unix socket, if there is one. */
  readonly socketUri: string | undefined;
  readonly source: 'chinook' | 'generated tables';
  readonly version: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  run(sql: string): Promise<void>;
  stop(): Promise<void>;
}

export const ROLE = 'bench_anon';
const DATABASE = 'rowhouse_bench';
const CHINOOK = path.resolve('../shared/data/chinook.sql');

const GENERATED = `
  CREATE TABLE artist (artist_id int PRIMARY KEY, name text);
  CREATE TABLE album (album_id int PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist);
  CREATE TABLE track (track_id int PRIMARY KEY, name text NOT NULL, album_id int REFERENCES album, media_type_id int,
    genre_id int, composer text, milliseconds int NOT NULL, bytes int, unit_price numeric(10, 2) NOT NULL);
  INSERT INTO artist SELECT n, 'Artist ' || n FROM generate_series(1, 275) n;
  INSERT INTO album SELECT n, 'The album of number ' || n, n % 275 + 1 FROM generate_series(1, 347) n;
  INSERT INTO track SELECT n, 'A track of number ' || n, n % 347 + 1, 1, n % 25 + 1, 'Some composers of number ' || n,
    200000 + n, 5000000 + n, 0.99 FROM generate_series(1, 3503) n;
  CREATE INDEX ON album (artist_id);
  CREATE INDEX ON track (album_id);`;

const ADDED = `
  CREATE TABLE bench_inserted (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, amount int);
  CREATE TABLE bench_updated (id int PRIMARY KEY, name text, amount int) WITH (fillfactor = 50);
  INSERT INTO bench_updated SELECT n, 'Row ' || n, n FROM generate_series(1, 1000) n;
  CREATE TABLE bench_text (content text);
  INSERT INTO bench_text SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1000) n;
  CREATE FUNCTION bench_sum(a int, b int) RETURNS int STABLE LANGUAGE sql RETURN a + b;
  CREATE VIEW bench_slow AS SELECT 1 AS done FROM pg_sleep(0.05);
  CREATE ROLE ${ROLE};
  GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${ROLE};
  ANALYZE;`;

export interface BenchDatabaseOptions {
  /** Connection string of a superuser of a PostgreSQL on this machine; undefined: a private one is started. */
  readonly clusterUri?: string | undefined;
  /** Rows of the large table; undefined: no such table. */
  readonly largeRows?: number | undefined;
  /** Whether the tables are generated even if there is the file of Chinook. */
  readonly isGenerated?: boolean;
}

export async function startBenchDatabase({
  clusterUri,
  largeRows,
  isGenerated = false,
}: BenchDatabaseOptions = {}): Promise<BenchDatabase> {
  const cluster = await (clusterUri === undefined ? startPrivateCluster() : openCluster(clusterUri));
  const uri = withDatabase(cluster.uri, DATABASE);
  const run = (sql: string): Promise<void> => withConnection(uri, async (client) => void (await client.query(sql)));
  const admin = (sql: string): Promise<void> =>
    withConnection(cluster.uri, async (client) => void (await client.query(sql)));
  const stop = async (): Promise<void> => {
    await admin(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    await admin(`DROP ROLE IF EXISTS ${ROLE}`);
    await cluster.stop();
  };
  try {
    await admin(`CREATE DATABASE ${DATABASE}`);
    const source = !isGenerated && existsSync(CHINOOK) ? 'chinook' : 'generated tables';
    await run(source === 'chinook' ? readChinook() : GENERATED);
    if (largeRows !== undefined) await run(renderLargeTable(largeRows));
    await run(ADDED);
    await run('VACUUM ANALYZE');
    const version = await withConnection(uri, readVersion);
    return { uri, socketUri: nameSocket(uri, cluster.socketFolder), source, version, pid: cluster.pid, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Leaves out the statements that create a database and connect to it. */
function readChinook(): string {
  const text = readFileSync(CHINOOK, 'utf8');
  return text.slice(text.indexOf('CREATE TABLE'));
}

async function readVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return rows[0]?.version ?? '';
}

function nameSocket(uri: string, socketFolder: string | undefined): string | undefined {
  if (socketFolder === undefined) return undefined;
  const url = new URL(uri);
  url.hostname = encodeURIComponent(socketFolder);
  return url.href;
}

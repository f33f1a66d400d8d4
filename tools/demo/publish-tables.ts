// Lets the rows of an embedded database be watched.
import { decodeLiveSetup, LIVE_PUBLICATION, LIVE_SETUP_SQL, renderPublication } from '../../src/sql/live-setup.ts';
import { withConnection } from '../embedded/script/sql-session.ts';

/** Publishes the tables that are not published yet, except those whose UPDATE and DELETE would then fail. */
export async function publishTables(uri: string): Promise<void> {
  await withConnection(uri, async (client) => {
    const { rows } = await client.query<(string | boolean | null)[]>({
      text: LIVE_SETUP_SQL,
      values: [LIVE_PUBLICATION, null],
      rowMode: 'array',
    });
    const texts = rows.map((row) => row.map((value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : value)));
    for (const statement of renderPublication(decodeLiveSetup(texts))) await client.query(statement);
  });
}

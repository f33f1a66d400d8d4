// What holds for the whole database.

/** One row: the encoding of its texts. */
export const DATABASE_SQL = `select current_setting('server_encoding')`;

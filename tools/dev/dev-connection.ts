// The extra connection of `rowhouse dev`: reads the login role, then polls for schema changes every second. Polling
// needs no privileges and leaves nothing in the database. An event trigger would require a superuser and remain after
// the process is killed.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { query, type QueryReply } from '../../src/postgres/session/query.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';

// Queries that `rowhouse dev` sends in addition to those of the server.

/** Returns one row: role name, whether it is a superuser, database name. */
const LOGIN_QUERY = `SELECT session_user, rolsuper, pg_catalog.current_database()
FROM pg_catalog.pg_roles WHERE rolname = session_user`;

/** The first table of a schema that a role can read; a view, if there is none. */
const READABLE_QUERY = `SELECT relname FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = relnamespace
WHERE nspname = $2 AND relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT relispartition
  AND pg_catalog.has_schema_privilege($1::name, namespace.oid, 'USAGE')
  AND pg_catalog.has_table_privilege($1::name, class.oid, 'SELECT')
ORDER BY relkind IN ('v', 'm'), relname LIMIT 1`;

/** Returns a value that changes whenever a writing transaction ends. It is cheap, so it is checked first. */
const WRITES_QUERY = 'SELECT pg_catalog.pg_current_snapshot()::text';

/** The first OID of objects that users create (`FirstNormalObjectId`). */
const FIRST_USER_OID = 16_384;

/** The catalogs that affect routes, each with the condition that selects the user's rows. */
const SOURCES: readonly (readonly [catalog: string, own: string])[] = [
  ['pg_namespace', 'true'],
  ['pg_class', `oid >= ${FIRST_USER_OID} AND relpersistence <> 't'`],
  ['pg_attribute', `attrelid >= ${FIRST_USER_OID}`],
  ['pg_attrdef', 'true'],
  ['pg_constraint', `oid >= ${FIRST_USER_OID}`],
  ['pg_rewrite', `oid >= ${FIRST_USER_OID}`],
  ['pg_type', `oid >= ${FIRST_USER_OID}`],
  ['pg_enum', 'true'],
  ['pg_proc', `oid >= ${FIRST_USER_OID}`],
  ['pg_cast', `oid >= ${FIRST_USER_OID}`],
  ['pg_aggregate', `aggfnoid >= ${FIRST_USER_OID}`],
  ['pg_description', `objoid >= ${FIRST_USER_OID} OR classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass`],
];

/**
 * Returns a value that differs after each change, because `xmin` of a catalog row is the transaction that wrote it.
 * Columns and types of temporary tables are included, so a session that creates one may cause a superfluous reload.
 */
const SCHEMA_QUERY: string = `SELECT pg_catalog.string_agg(mark, ' ') FROM (\n${SOURCES.map(renderMark).join('\nUNION ALL\n')}\n) AS marks`;

function renderMark([catalog, own]: readonly [string, string]): string {
  return `SELECT pg_catalog.concat(pg_catalog.count(*), ':', pg_catalog.sum(xmin::text::bigint)) AS mark FROM pg_catalog.${catalog} WHERE ${own}`;
}

export interface LoginRole {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly database: string;
}

/** Minimum interval between two polls. */
const INTERVAL_MS = 1000;
/** Polling takes at most a tenth of the time, even with a large schema or a slow database. */
const PAUSES_PER_POLL = 9;

export class DevConnection {
  readonly #uri: string;
  readonly #environment: ConfigLocation['environment'];
  #session: Session | undefined;
  /** Results of the last poll. */
  #writes: string | undefined;
  #schema: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ dbUri }: Pick<AppConfig, 'dbUri'>, environment: ConfigLocation['environment']) {
    this.#uri = dbUri;
    this.#environment = environment;
  }

  /** Also records the current schema state, so that no later change is missed. An error is a message for the user. */
  async readLoginRole(): Promise<Result<LoginRole, string>> {
    const login = await this.#query(LOGIN_QUERY);
    if (!login.ok) return fail(describeFailure(login.error));
    const [name, isSuperuser, database] = login.value[0] ?? [];
    await this.#hasChanged();
    return ok({ name: name ?? '', isSuperuser: isSuperuser === 't', database: database ?? '' });
  }

  /** @returns undefined if there is none, or no such role */
  findReadableTable(role: string, schema: string): Promise<string | undefined> {
    return this.#queryValue(READABLE_QUERY, [role, schema]);
  }

  /** Calls `onChange` after each change of tables, functions, types, comments or anything else that affects routes. */
  watchSchema(onChange: () => Promise<void>, pauseMs: number = INTERVAL_MS): void {
    const poll = async (): Promise<void> => {
      const start = performance.now();
      const hasChanged = await this.#hasChanged();
      if (this.#isClosed) return;
      if (hasChanged) void onChange();
      this.watchSchema(onChange, Math.max(INTERVAL_MS, PAUSES_PER_POLL * (performance.now() - start)));
    };
    this.#timer = setTimeout(() => void poll(), pauseMs);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#session?.close();
  }

  /** Compares with the last poll. Returns false if the database is unreachable: the server itself reconnects. */
  async #hasChanged(): Promise<boolean> {
    const writes = await this.#queryValue(WRITES_QUERY);
    if (writes === undefined || writes === this.#writes) return false;
    const schema = await this.#queryValue(SCHEMA_QUERY);
    if (schema === undefined) return false;
    this.#writes = writes;
    const hasChanged = schema !== this.#schema;
    this.#schema = schema;
    return hasChanged;
  }

  async #queryValue(text: string, parameters: readonly string[] = []): Promise<string | undefined> {
    const reply = await this.#query(text, parameters);
    return reply.ok ? (reply.value[0]?.[0] ?? undefined) : undefined;
  }

  async #query(text: string, parameters: readonly string[] = []): Promise<QueryReply> {
    const session = await this.#openSession();
    if (!session.ok) return session;
    const reply = await query(session.value, text, parameters);
    if (!reply.ok) {
      session.value.destroy('a query on it failed');
      this.#session = undefined;
    }
    return reply;
  }

  async #openSession(): Promise<Result<Session, ApiError>> {
    if (this.#session !== undefined && this.#session.loss === undefined) return ok(this.#session);
    const connected = await connect({
      connectionString: this.#uri,
      environment: this.#environment,
      product: PRODUCT,
      isPreparing: false,
    });
    if (!connected.ok) return connected;
    if (this.#isClosed) void connected.value.close();
    else this.#session = connected.value;
    return connected;
  }
}

function describeFailure(error: ApiError): string {
  if (error.kind === 'database') return error.report.message;
  const details = 'details' in error && typeof error.details === 'string' ? error.details : error.kind;
  return `Cannot connect to the database: ${details}`;
}

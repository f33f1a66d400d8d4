// The server under attack: a separate process over a small database, with all its messages to PostgreSQL recorded.
// Anonymous visitors may use half of the schema and must not learn of the other half.
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { startMessageProxy } from '../support/message-proxy.ts';
import { ask, type Answer, type Question } from '../support/http-client.ts';
import { createDatabase, runRoleSql, runSql } from '../support/database.ts';
import { startServerProcess, type ServerOptions } from '../support/server-process.ts';
import { signToken } from '../../tools/token/issue-token.ts';

export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

export interface Target {
  readonly port: number;
  readonly adminPort: number;
  readonly roles: Roles;
  send(question: Question): Promise<Answer>;
  token(claims: Readonly<Record<string, unknown>>): string;
  /** The distinct statement texts that the server sent to PostgreSQL. */
  readonly statements: ReadonlySet<string>;
  /** The log of the process. */
  readonly log: () => string;
  /** Resident memory in megabytes. */
  memory(): Promise<number>;
  isAlive(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface Roles {
  readonly gate: string;
  readonly anon: string;
  readonly user: string;
}

export async function startTarget(options: ServerOptions = {}): Promise<Target> {
  const database = await createDatabase();
  const roles: Roles = { gate: `${database.name}_g`, anon: `${database.name}_a`, user: `${database.name}_u` };
  await runRoleSql(database.uri, renderSchema(roles));
  const { hostname, port, pathname } = new URL(database.uri);
  const proxy = await startMessageProxy({ host: hostname, port: Number(port) });
  const statements = new Set<string>();
  proxy.watch(({ from, type, content }) => {
    // Parse message: the statement's name, its text, the types of its parameters.
    const [, text = ''] = content.split('\0');
    if (from === 'client' && type === 'P') statements.add(Buffer.from(text, 'latin1').toString('utf8'));
  });
  const server = await startServerProcess({
    'db-uri': `postgres://${roles.gate}@127.0.0.1:${proxy.port}${pathname}?sslmode=disable`,
    'db-schemas': 'api',
    'db-anon-role': roles.anon,
    'db-aggregates-enabled': true,
    'jwt-secret': SECRET,
    'log-level': 'info',
    ...options,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return {
    port: server.port,
    adminPort: server.adminPort,
    roles,
    send: (question) => ask(server.port, question, agent),
    token: (claims) => signToken(claims, SECRET),
    statements,
    log: () => server.output().stdout + server.output().stderr,
    memory: () => readMemory(server.pid),
    isAlive: async () =>
      (await ask(server.port, { method: 'GET', url: '/things?limit=0', headers: {} })).status === 200,
    stop: async () => {
      agent.destroy();
      await server.stop();
      await proxy.close();
      await database.drop();
      await runSql(Object.assign(new URL(database.uri), { pathname: '/postgres' }).href, dropRoles(roles));
    },
  };
}

async function readMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
}

/** Names that a visitor must not learn. A response may repeat one that the request contains. */
export const HIDDEN_NAMES: readonly string[] = [
  'concealed',
  'concealed_note',
  'concealed_cost',
  'concealed_thing_fk',
  'concealed_total',
  'concealed_argument',
  'vault',
  'vault_code',
];

function renderSchema({ gate, anon, user }: Roles): string {
  return `
    create role ${gate} login noinherit;
    create role ${anon} nologin;
    create role ${user} nologin;
    grant ${anon}, ${user} to ${gate};
    create schema api;
    create schema vault;
    grant usage on schema api to ${anon}, ${user};
    create type api.mood as enum ('calm', 'wild');
    create table api.things (
      id int primary key, name text, small smallint, large bigint, exact numeric, rough float8, flag bool, day date,
      moment timestamptz, span interval, doc json, docb jsonb, tags text[], grid int[], uid uuid, raw bytea, addr inet,
      period int4range, mood api.mood, words tsvector, letter char(3), flags bit(4), place point, cost money
    );
    insert into api.things (id, name, doc, docb, tags, mood, words, raw)
      values (1, 'one', '{"a":1}', '{"a":1}', '{x}', 'calm', 'one', 'x'), (2, 'two', '[]', '[]', '{}', 'wild', 'two', 'y');
    create table api.parts (id int primary key, thing_id int references api.things, label text);
    insert into api.parts values (1, 1, 'p1'), (2, 2, 'p2');
    create table api.notes (id int generated always as identity primary key, body text, doc jsonb);
    create table api.concealed (
      id int primary key, thing_id int constraint concealed_thing_fk references api.things, concealed_note text, concealed_cost int
    );
    insert into api.concealed values (1, 1, 'a note of nobody', 7);
    create table vault.vault_code (id int);
    create function api.add(a int, b int) returns int language sql immutable as 'select a + b';
    create function api.same(doc json) returns json language sql immutable as 'select doc';
    create function api.total(items int[]) returns bigint language sql immutable as 'select sum(i) from unnest(items) i';
    create function api.who() returns json language sql stable as
      $$ select json_build_object('role', current_user, 'claims', current_setting('request.jwt.claims', true)) $$;
    create function api.concealed_total(concealed_argument int) returns int language sql immutable as 'select 1';
    revoke execute on function api.concealed_total from public;
    grant select on api.things, api.parts to ${anon}, ${user};
    grant select, insert, update, delete on api.notes to ${anon}, ${user};
    grant select on api.concealed to ${user};
  `;
}

function dropRoles({ gate, anon, user }: Roles): string {
  return `drop role ${gate}; drop role ${anon}; drop role ${user}`;
}

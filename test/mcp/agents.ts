// Connects the official client of the protocol to a server, in both revisions.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Harbor } from '../support/harbor.ts';

/** The stateless revision, and the one with a handshake. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

type Transport = Parameters<Client['connect']>[0];

export interface ToolAnswer {
  readonly isError: boolean;
  readonly content: {
    readonly notice: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly isCut: boolean;
    readonly next?: { readonly offset: number };
    readonly explanation?: string;
    readonly isCommitted?: boolean;
  };
  readonly text: string;
}

export interface Agent {
  readonly client: Client;
  readonly call: (tool: string, given?: Record<string, unknown>) => Promise<ToolAnswer>;
  /** Calls `read_rows` and returns the rows. */
  readonly rows: (given: Record<string, unknown>) => Promise<unknown>;
  readonly toolNames: () => Promise<readonly string[]>;
}

export function connectHttp(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  revision: Revision = '2026-07-28',
): Promise<Agent> {
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), revision);
}

export async function connect(transport: Transport, revision: Revision): Promise<Agent> {
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    const result = await client.callTool({ name, arguments: given });
    const [block] = result.content;
    const text = block?.type === 'text' ? block.text : '';
    return { isError: result.isError === true, content: result.structuredContent as ToolAnswer['content'], text };
  };
  return {
    client,
    call,
    rows: async (given) => (await call('read_rows', given)).content.data['rows'],
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
}

/** A shop: tables with and without keys, a table for one role only, functions that read and write. */
export async function loadShop({ sql, anon, user }: Pick<Harbor, 'sql' | 'anon' | 'user'>): Promise<void> {
  await sql(`
    create table api.author (id int primary key, name text not null);
    comment on table api.author is 'People who write';
    insert into api.author values (2, 'Ada'), (1, 'Bo');
    create table api.book (id bigint primary key, title text not null, author_id int references api.author, price numeric, note text);
    insert into api.book select n, 'Book ' || n, 1 + n % 2, n / 2.0, null from generate_series(1, 250) n;
    create table api.crate (label text, weight int);
    insert into api.crate values ('b', 2), ('a', 9), ('a', 1);
    create table api.secret (id int primary key, word text);
    insert into api.secret values (1, 'hush');
    create table api.partly (id int primary key, shown text, hidden text);
    insert into api.partly values (1, 'yes', 'no');
    create table api.big (id int primary key, text text);
    insert into api.big select n, repeat('x', 10000) from generate_series(1, 20) n;
    create table api.huge (id bigint primary key, amount numeric);
    insert into api.huge values (9007199254740993, 12345678901234567890.5), (2, 1.50);
    grant select on api.author, api.book, api.crate, api.big, api.huge to ${anon}, ${user};
    grant select (id, shown) on api.partly to ${anon};
    grant select on api.secret to ${user};
    grant insert, update, delete on api.book, api.author to ${user};
    grant insert on api.crate to ${user};
    create function api.total(lowest numeric default 0) returns numeric language sql stable
      as 'select sum(price) from api.book where price >= lowest';
    create function api.books_of(author int) returns setof api.book language sql stable
      as 'select * from api.book where author_id = author order by id desc';
    create function api.add_author(name text) returns int language sql volatile
      as 'insert into api.author select 1 + (select max(id) from api.author), add_author.name returning id';
  `);
}

// Calls of agents that describe a schema of many tables, and the tables. What costs time is the description as a whole.
import type { Question } from '../../support/http-client.ts';

const TABLES = 850;
const COLUMNS = 12;
const FUNCTIONS = 400;

/** Every table refers to the one before it, and has privileges by column, so that its description is long. */
export const MANY_TABLES = (roles: string): string => `
  do $$ declare others text; begin
    select string_agg(format('c%s text not null default %L', n, 'value ' || n), ', ') into others
      from generate_series(1, ${COLUMNS}) n;
    for n in 1..${TABLES} loop
      execute format('create table api.many_%s (id int primary key, before int %s, %s)', n,
        case when n > 1 then format('references api.many_%s', n - 1) end, others);
      execute format('comment on table api.many_%s is %L', n, repeat('Rows of this table are kept. ', 4));
      execute format('grant select (id, before, c1), update (c2) on api.many_%s to ${roles}', n);
    end loop;
    for n in 1..${FUNCTIONS} loop
      execute format('create function api.call_%s(a int, b text default %L) returns int language sql stable as %L',
        n, 'x', 'select 1');
    end loop;
  end $$;
`;

const REVISION = '2025-11-25';

function call(tool: string, given: object): Question {
  return {
    method: 'POST',
    url: '/mcp',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': REVISION,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } }),
  };
}

export const AGENT_CALLS: readonly { readonly name: string; readonly question: Question }[] = [
  // Compiles the schema of the arguments, and describes nothing.
  { name: 'list_relations of unknown arguments', question: call('list_relations', { name: 'x' }) },
  { name: 'list_relations', question: call('list_relations', {}) },
  { name: 'list_relations with a search', question: call('list_relations', { search: '_84' }) },
  { name: 'describe_relation', question: call('describe_relation', { relation: 'many_425' }) },
  { name: 'describe_relation of an unknown name', question: call('describe_relation', { relation: 'many_x' }) },
  { name: 'read_rows of an unknown name', question: call('read_rows', { relation: 'many_x' }) },
  { name: 'call_function of an unknown name', question: call('call_function', { function: 'call_x' }) },
  {
    name: 'tools/list',
    question: {
      ...call('', {}),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    },
  },
];

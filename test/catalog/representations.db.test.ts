import { expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { API, loadRows } from '../support/load-cache.ts';

const SQL = `
  create schema api;
  create domain api.tint as int;
  create function api.tint_out(api.tint) returns json language sql immutable as 'select to_json($1::int)';
  create function api.tint_in(json) returns api.tint language sql immutable as 'select 1::api.tint';
  create function api.tint_parse(text) returns api.tint language sql immutable as 'select 1::api.tint';
  create function api.tint_bool(api.tint) returns bool language sql immutable as 'select true';
  create cast (api.tint as json) with function api.tint_out(api.tint) as implicit;
  create cast (json as api.tint) with function api.tint_in(json) as implicit;
  create cast (text as api.tint) with function api.tint_parse(text) as implicit;
  create cast (api.tint as bool) with function api.tint_bool(api.tint) as implicit;
  create domain api.shade as int;
  create function api.shade_out(api.shade) returns json language sql immutable as 'select to_json($1::int)';
  create cast (api.shade as json) with function api.shade_out(api.shade) as implicit;
  revoke execute on function api.shade_out(api.shade) from public;
  create domain api.explicit as int;
  create function api.explicit_out(api.explicit) returns json language sql immutable as 'select to_json($1::int)';
  create cast (api.explicit as json) with function api.explicit_out(api.explicit) as assignment;
  create type api.mood as enum ('calm');
  create function api.mood_out(api.mood) returns json language sql immutable as 'select to_json($1::text)';
  create cast (api.mood as json) with function api.mood_out(api.mood) as implicit;
`;

function pairs({ representations }: SchemaCache): readonly string[] {
  return [...representations.values()]
    .flatMap((targets) => Array.from(targets.values()))
    .map(({ source, target, routine }) => `${source} > ${target} by ${routine.schema}.${routine.name}`)
    .sort();
}

test('O157 finds implicit casts by function between a domain and json or text that the login role may execute', async () => {
  const database = await createDatabase();
  const role = `${database.name}_gate`;
  try {
    await runSql(
      database.uri,
      `${SQL} create role ${role} login password 'open'; grant usage on schema api to ${role};`,
    );
    const gate = new URL(database.uri);
    gate.username = role;
    gate.password = 'open';
    const tint = [
      'api.tint > json by api.tint_out',
      'json > api.tint by api.tint_in',
      'text > api.tint by api.tint_parse',
    ];
    expect(pairs(buildSchemaCache(await loadRows(gate.href, API)))).toEqual(tint);
    const all = ['api.shade > json by api.shade_out', ...tint];
    expect(pairs(buildSchemaCache(await loadRows(database.uri, API)))).toEqual(all);
  } finally {
    await database.drop();
    await runSql(database.uri.replace(database.name, 'postgres'), `drop role if exists ${role}`);
  }
});

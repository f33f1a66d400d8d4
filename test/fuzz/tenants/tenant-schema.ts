// The tables of the read oracle with rows of many tenants: row-level security by a claim separates them, and two roles
// have different privileges. Run by the superuser in a fresh database.

export const LOGIN = 'fuzz_gate';
export const ROLES = {
  anon: 'fuzz_anon',
  member: 'fuzz_member',
  reader: 'fuzz_reader',
  closed: 'fuzz_closed',
} as const;

export const SCHEMAS = 'api,labs';

const CLAIMED = `current_setting('request.jwt.claims', true)::json ->> 'tenant'`;

/** Columns in the model, without `tenant`. */
const TABLES = {
  harbours: 'id int primary key, name text not null',
  boats: `id int primary key, label text not null, built int, harbour_id int constraint boats_harbour_id_fkey
    references api.harbours`,
  sailors: 'id int primary key, name text not null',
  postings: `boat_id int constraint postings_boat_id_fkey references api.boats,
    sailor_id int constraint postings_sailor_id_fkey references api.sailors, duty text, primary key (boat_id, sailor_id)`,
  permits: 'boat_id int primary key constraint permits_boat_id_fkey references api.boats, code text not null',
  voyages: `id int primary key, boat_id int constraint voyages_boat_id_fkey references api.boats,
    from_id int constraint voyages_from_fkey references api.harbours,
    to_id int constraint voyages_to_fkey references api.harbours`,
  crates: `id int primary key, name text not null, parent_id int constraint crates_parent_id_fkey references api.crates`,
};

export const MODELLED = Object.keys(TABLES) as readonly (keyof typeof TABLES)[];

export function renderTenantSchema(): string {
  return `
    ${renderRoles()}
    create schema api;
    create schema labs;
    grant usage on schema api, labs to ${ROLES.anon}, ${ROLES.member}, ${ROLES.reader};
    ${MODELLED.map((name) => renderTable(`api.${name}`, TABLES[name])).join('')}
    ${renderTable('api.lost_notes', 'id bigint generated always as identity primary key, note text not null')}
    ${renderTable('labs.crates', 'id int primary key, name text not null')}
    ${renderTable('labs.vault', 'id int primary key, open_note text not null, secret_note text not null')}
    revoke all on labs.vault from ${ROLES.reader};
    grant select (id, open_note) on labs.vault to ${ROLES.reader};
    ${FUNCTIONS}`;
}

function renderRoles(): string {
  const grants = [ROLES.anon, ROLES.member, ROLES.reader].map((role) => `grant ${role} to ${LOGIN};`).join('');
  const role = (name: string, options: string): string =>
    `if to_regrole('${name}') is null then create role ${name} ${options}; end if;`;
  const groups = Object.values(ROLES).map((name) => role(name, 'nologin'));
  return `do $$ begin ${role(LOGIN, 'login noinherit')} ${groups.join(' ')} end $$; ${grants}`;
}

/** Reads the claim once per statement or once per row: both plans can be cached. */
function renderTable(name: string, columns: string): string {
  const claim = name.length % 2 === 0 ? CLAIMED : `(select ${CLAIMED})`;
  return `
    create table ${name} (${columns}, tenant text not null default ${CLAIMED});
    alter table ${name} enable row level security;
    create policy own on ${name} using (tenant = ${claim}) with check (tenant = ${claim});
    grant all on ${name} to ${ROLES.member};
    grant select on ${name} to ${ROLES.reader};`;
}

/** `bonus` is simple enough to be inlined, so EXECUTE is checked at plan time. */
const FUNCTIONS = `
  create function api.visitors(api.harbours) returns setof api.boats rows 100 language sql stable
    as $$ select b.* from api.boats b join api.voyages v on v.boat_id = b.id where v.to_id = $1.id $$;
  create function api.all_boats() returns setof api.boats language sql stable as 'select * from api.boats';
  create function api.all_crates() returns setof api.crates language plpgsql volatile
    as 'begin return query select * from api.crates; end';
  create function api.whoami() returns json language sql stable as $$
    select json_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::json,
      'path', current_setting('request.path'), 'method', current_setting('request.method'),
      'mark', current_setting('request.headers')::json ->> 'x-mark', 'trace', nullif(current_setting('app.trace', true), ''),
      'texts', json_build_array(1::float8 / 3, decode('41', 'hex'), date '2020-01-02')) $$;
  create function api.add(a int, b int default 1) returns int language sql immutable as 'select a + b';
  create function api.fail(code text, note text) returns void language plpgsql volatile as
    $$ begin raise exception '%', note using errcode = code, detail = note, hint = note; end $$;
  create function api.respond(note text) returns text language sql volatile as $$
    select set_config('response.headers', json_build_array(json_build_object('X-Note', note))::text, true);
    select set_config('response.status', '202', true);
    select set_config('app.trace', note, true) $$;
  create function api.leave(setting text, value text) returns text language sql volatile
    as $$ select set_config(setting, value, false) $$;
  create function api.leave_table() returns void language plpgsql volatile
    as 'begin create temporary table sailors (id int); end';
  create function api.prepare() returns void language plpgsql volatile as $$
    begin execute 'prepare mine as select 1'; end $$;
  create function api.count_sailors() returns bigint language plpgsql stable
    as 'begin return (select count(*) from sailors); end';
  create function api.nap(seconds float8) returns text language sql volatile as 'select pg_sleep(seconds)::text';
  create function api.short_nap() returns text language sql volatile set statement_timeout = '5ms'
    as 'select pg_sleep(1)::text';
  create function api.bonus() returns int language sql stable as 'select 42';
  create function api.bonus(api.boats) returns int language sql stable as 'select 42';
  revoke execute on function api.bonus(), api.bonus(api.boats) from public;
  grant execute on function api.bonus(), api.bonus(api.boats) to ${ROLES.member};`;

-- Two roles whose privileges differ wherever a plan may keep what it was allowed: {first} and {second}. Every function is
-- for one of them alone; rows and columns of some tables are for {first} alone.
create role {first};
create role {second};
create schema guard;
grant usage on schema guard to {first}, {second};

create function guard.is_first(place tid) returns boolean language sql stable as $$ select $1::text = '(0,1)' $$;
create function guard.twice(n bigint) returns bigint language sql immutable as $$ select n * 2 $$;
create function guard.default_number() returns int language sql stable as $$ select 40 + 2 $$;
create function guard.shown(n int) returns int language sql stable as $$ select n + 1000 $$;
create function guard.folded() returns int language plpgsql immutable as $$ begin return 7; end $$;

create table api.sentried (
  id int primary key,
  made int default guard.default_number(),
  twice bigint generated always as (guard.twice(id)) stored
);
insert into api.sentried (id) values (1), (2), (3);
create view api.sentried_view as select id, guard.shown(id) as shown from api.sentried;
create view api.folded_view as select id, guard.folded() as folded from api.sentried;
create function api.bonus(api.sentried) returns int language sql stable as $$ select $1.id + 7 $$;

do $$
declare
  item record;
  place text;
begin
  for item in
    select p.oid::regprocedure as name, p.prokind, n.nspname, row_number() over (order by p.oid) as number
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_|^information_schema$' and p.prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('revoke execute on routine %s from public, web_anon, web_user', item.name);
    execute format('grant execute on routine %s to %I', item.name,
      case when item.number % 2 = 0 or item.nspname = 'guard' and item.name::text !~ 'is_first' then '{first}' else '{second}' end);
  end loop;
  for place in select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$' loop
    execute format('grant usage on schema %I to {first}, {second}', place);
    execute format('grant all on all sequences in schema %I to {first}, {second}', place);
  end loop;
  for item in
    select c.oid::regclass as name, c.relkind, row_number() over (order by c.oid) as number,
      (select string_agg(quote_ident(attname), ', ') from pg_attribute
       where attrelid = c.oid and attnum > 1 and not attisdropped) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_|^information_schema$' and c.relkind in ('r', 'v', 'm', 'p')
  loop
    execute format('grant all on %s to {first}', item.name);
    if item.number % 5 = 0 and item.columns is not null then
      execute format('grant select (%s) on %s to {second}', item.columns, item.name);
    else
      execute format('grant all on %s to {second}', item.name);
    end if;
    if item.number % 4 = 0 and item.relkind = 'r' then
      execute format('alter table %s enable row level security', item.name);
      execute format('create policy all_rows on %s to {first} using (true)', item.name);
      execute format('create policy first_row on %s to {second} using (guard.is_first(ctid)) with check (true)', item.name);
    end if;
  end loop;
end $$;

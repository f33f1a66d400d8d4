// A project whose triggers, functions and related rows decide on what a request does.
export const EFFECTS: Readonly<Record<string, string>> = {
  'rowhouse.conf': 'db-anon-role = "web_anon"\ndb-schemas = "api"\n',
  'roles.sql': 'create role web_anon nologin; create role web_user nologin; create role task_owner nologin;',
  'schema/1_triggers.sql': `
    create schema api; create schema private;
    grant usage on schema api, private to public;
    create function private.me() returns text language sql stable as
      $$ select current_setting('request.jwt.claims', true)::json ->> 'sub' $$;
    create table private.audit (line text);
    alter table private.audit enable row level security;
    create policy closed on private.audit for insert to web_user with check (line <> 'closed');
    grant insert on private.audit to web_user;
    create table private.vault (line text);
    create table api.guarded (id int primary key, n int);
    create function private.guard() returns trigger language plpgsql as $$
    begin
      if new.n > 10 then raise exception 'n is too large'; end if;
      if new.n = 9 then insert into private.audit values ('closed'); end if;
      if new.n = 8 then insert into private.vault values ('x'); end if;
      if new.n = 7 then return null; end if;
      new.n := abs(new.n);
      return new;
    end $$;
    create trigger check_n before insert or update on api.guarded for each row execute function private.guard();
    create function private.keep_one() returns trigger language plpgsql as
      $$ begin return case when old.id = 1 then null else old end; end $$;
    create trigger keep_one before delete on api.guarded for each row execute function private.keep_one();
    grant all on api.guarded to web_user;`,
  'schema/2_functions.sql': `
    create table api.tasks (id int primary key, owner text, title text unique, secret text);
    alter table api.tasks enable row level security;
    create policy own on api.tasks to web_user using (owner = private.me());
    grant select (id, owner, title), insert, update, delete on api.tasks to web_user;
    create table api.steps (id int primary key, task_id int not null references api.tasks, owner text, is_hidden boolean default false);
    alter table api.steps enable row level security;
    create policy shown on api.steps to web_user using (not is_hidden) with check (owner = private.me());
    grant all on api.steps to web_user;
    create function private.note_step() returns trigger language plpgsql as
      $$ begin insert into private.audit values (case new.id when 99 then 'closed' else 'open' end); return null; end $$;
    create trigger note_step after insert on api.steps for each row execute function private.note_step();
    create table api.tags (id int primary key, name text);
    create table api.task_tags (task_id int references api.tasks, tag_id int references api.tags, primary key (task_id, tag_id));
    alter table api.task_tags enable row level security;
    create policy low on api.task_tags to web_user using (tag_id < 10);
    grant select on api.tags, api.task_tags to web_user;
    create function api.give(title text) returns void language plpgsql as
      $$ begin insert into api.tasks (id, owner, title) values (50, 'bob', give.title); end $$;
    create function api.hand_over() returns void language sql security definer set search_path = '' as
      $$ insert into api.steps (id, task_id, owner) values (60, 1, 'bob') $$;
    alter function api.hand_over owner to task_owner;
    grant insert on api.steps to task_owner;
    create function api.count_secrets() returns bigint language sql stable as $$ select count(secret) from api.tasks $$;
    create function api.mine(api.steps) returns boolean language sql stable as $$ select current_user = 'web_user' $$;
    create function api.label(api.tasks) returns text language sql stable as $$ select $1.title $$;
    create function api.open_tasks() returns setof api.tasks language sql stable as
      $$ select id, owner, title, null::text from api.tasks $$;
    create function api.step_ids() returns setof int language sql stable
      begin atomic select id from api.steps; end;
    create table private."team members" (name text, room int);
    alter table private."team members" enable row level security;
    create policy own on private."team members" to web_user using (room > 1);
    grant select on private."team members" to web_user;
    create function private.in_room(room int) returns boolean language sql stable as
      $$ select exists (select from private."team members" as m where m.room = in_room.room and m.name = private.me()) $$;
    create table api.rooms (id int primary key);
    alter table api.rooms enable row level security;
    create policy member on api.rooms to web_user using (private.in_room(id));
    create table api.many (id int primary key);
    alter table api.many enable row level security;
    create policy few on api.many to web_user using (id < 3);
    grant select on api.rooms, api.many to web_user;
    create function api.task_title(api.steps) returns text language sql stable as
      $$ select title from api.tasks where id = $1.task_id $$;`,
  'schema/3_denied.sql': `
    create function private.stamp() returns text language sql as $$ select 'x' $$;
    revoke execute on function private.stamp from public;
    create table api.stamped (id serial primary key, stamp text default private.stamp(), note text);
    create table api.numbered (id serial primary key, note text);
    create table api.graded (id int primary key);
    alter table api.graded enable row level security;
    create policy grade on api.graded to web_user using (private.stamp() = 'x');
    grant all on api.stamped, api.numbered, api.graded to web_user;`,
  'seed/rows.sql': `
    insert into api.guarded values (1, 1), (2, 2);
    insert into api.tasks values (1, 'ann', 'one'), (2, 'bob', 'two'), (3, 'ann', 'three');
    insert into api.steps values (1, 1, 'ann', false), (2, 1, 'ann', true), (3, 2, 'bob', true), (4, 3, 'ann', true), (5, 2, 'ann', false);
    insert into private."team members" values ('ann', 1);
    insert into api.rooms values (1);
    insert into api.many select generate_series(1, 150);
    insert into api.tags values (1, 'red'), (10, 'blue');
    insert into api.task_tags values (1, 1), (1, 10), (3, 1);`,
};

// A project whose privileges and policies hide and refuse rows, one of each kind.
const CLAIM = `current_setting('request.jwt.claims', true)::json ->> 'sub'`;

export const EXPLAINED: Readonly<Record<string, string>> = {
  'rowhouse.conf': 'db-anon-role = "web_anon"\ndb-schemas = "api, closed"\n',
  'roles.sql': `
    create role web_anon nologin; create role web_user nologin; create role web_owner nologin;
    create role view_owner nologin; create role web_admin nologin bypassrls;
    create role team nologin; create role web_staff nologin; create role web_guest nologin noinherit;
    grant team to web_staff; grant team to web_guest; grant team to view_owner;`,
  'schema/1_orders.sql': `
    create schema api; create schema private; create schema closed;
    grant usage on schema api to public; grant usage on schema private to public;
    create function private.me() returns text language sql stable as $$ select ${CLAIM} $$;
    create table api.orders (
      id int primary key, owner text not null, status text not null default 'open', note text, secret text
    );
    alter table api.orders enable row level security;
    create policy read_own on api.orders for select to web_user using (owner = (${CLAIM}));
    create policy not_secret on api.orders as restrictive for select to web_user using (secret is null);
    create policy add_own on api.orders for insert to web_user with check (owner = (${CLAIM}) and status = 'open');
    create policy change_open on api.orders for update to web_user
      using (owner = private.me() and status = 'open') with check (status <> 'void');
    create policy drop_open on api.orders for delete to web_user using (status = 'open');
    grant select, insert, delete, update (owner, status, note) on api.orders to web_user;
    grant select (id, status) on api.orders to web_anon;
    create table api.lines (id int primary key, order_id int references api.orders);
    create table closed.papers (id int primary key);
    grant select on closed.papers to web_user;`,
  'schema/2_kinds.sql': `
    create table api.notes (id int primary key, owner text, body text);
    alter table api.notes enable row level security;
    create policy mine on api.notes to web_user using (owner = private.me());
    grant all on api.notes to web_user, web_anon, web_staff;
    create table api.docs (id int primary key, owner text, is_public boolean, "odd name" int);
    alter table api.docs enable row level security;
    create policy own on api.docs to web_user using (owner = private.me());
    create policy open on api.docs for select to web_user using (is_public and coalesce("odd name", 0) < 10);
    create policy only_small on api.docs as restrictive to web_anon using (id < 100);
    grant all on api.docs to web_user, web_anon;
    create table api.plans (id int primary key, team text);
    alter table api.plans enable row level security;
    create policy of_team on api.plans to team using (team = 'red');
    grant all on api.plans to team, web_staff, web_guest, web_admin;
    create table api.ledgers (id int primary key, amount int);
    alter table api.ledgers enable row level security;
    alter table api.ledgers force row level security;
    create policy small on api.ledgers using (amount < 10);
    alter table api.ledgers owner to web_owner;
    create table api.drafts (id int primary key);
    alter table api.drafts enable row level security;
    alter table api.drafts owner to web_owner;
    create table api.tags (id int primary key);
    grant select on api.tags to web_anon;
    create table api.members (team text, person text, primary key (team, person));
    alter table api.members enable row level security;
    create policy own on api.members to web_user using (person = private.me());
    grant select on api.members to web_user;
    create table api.topics (id int primary key, team text);
    alter table api.topics enable row level security;
    create policy of_members on api.topics to web_user
      using (exists (select from api.members as m where m.team = topics.team));
    grant all on api.topics to web_user;
    create table api.ratios (id int primary key, n int);
    alter table api.ratios enable row level security;
    create policy above on api.ratios to web_user using (10 / n > 1);
    grant select on api.ratios to web_user;
    create table api.logs (id int generated always as identity primary key, who text default current_user, line text);
    alter table api.logs enable row level security;
    create policy by_boss on api.logs to web_user using (true) with check (who = 'boss');
    grant insert, select on api.logs to web_user;
    create table api.kept (id int primary key, n int);
    create function private.keep() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger keep before update or delete on api.kept for each row execute function private.keep();
    grant all on api.kept to web_user;
    create table api.claims (id int primary key, team text);
    alter table api.claims enable row level security;
    create policy deep on api.claims to web_user
      using (team = current_setting('request.jwt.claims', true)::jsonb -> 'app' ->> 'team' or team = current_setting('app.team', true));
    grant select on api.claims to web_user;`,
  'schema/3_views.sql': `
    create view api.open_orders with (security_invoker) as select id, owner, status from api.orders where status = 'open';
    create view api.all_orders as select id, owner from api.orders;
    create view api.few_ledgers as select id, amount from api.ledgers;
    create view api.order_counts with (security_invoker) as select owner, count(*) from api.orders group by owner;
    create view api.team_plans as select id as number, team from api.plans;
    alter view api.team_plans owner to view_owner;
    grant select on api.plans to view_owner;
    create view api.hidden_lines with (security_invoker) as select id from api.lines;
    grant all on api.open_orders, api.all_orders, api.few_ledgers, api.order_counts, api.team_plans, api.hidden_lines to web_user;
    create table api.events (id int, year int, owner text, primary key (id, year)) partition by list (year);
    create table api.events_2026 partition of api.events for values in (2026);
    alter table api.events enable row level security;
    create policy own_events on api.events to web_user using (owner = private.me());
    grant all on api.events to web_user;
    create table api.animals (id int primary key, keeper text);
    create table api.dogs (name text, primary key (id)) inherits (api.animals);
    alter table api.animals enable row level security;
    create policy kept_by on api.animals to web_user using (keeper = private.me());
    grant select on api.animals, api.dogs to web_user;
    create function api.total() returns bigint language sql stable security definer set search_path = '' as
      $$ select count(*) from api.orders $$;
    create function api.count_orders() returns bigint language sql stable as $$ select count(*) from api.orders $$;
    create function api.wipe() returns void language sql volatile as $$ delete from api.orders $$;
    revoke execute on function api.wipe from public;`,
  'seed/rows.sql': `
    insert into api.orders (id, owner, status, secret) values
      (1, 'ann', 'open', null), (2, 'bob', 'open', null), (3, 'ann', 'sent', null), (4, 'ann', 'open', 'x');
    insert into api.notes values (1, 'ann', 'a'), (2, 'bob', 'b');
    insert into api.docs values (1, 'bob', false, null), (2, 'bob', true, 50), (200, 'bob', true, 1);
    insert into api.plans values (1, 'red'), (2, 'blue');
    insert into api.ledgers values (1, 5), (2, 50);
    insert into api.drafts values (1);
    insert into api.tags values (1);
    insert into api.members values ('red', 'ann'), ('blue', 'bob');
    insert into api.topics values (1, 'red'), (2, 'blue');
    insert into api.ratios values (1, 5), (2, 0);
    insert into api.kept values (1, 1);
    insert into api.claims values (1, 'red');
    insert into api.events values (1, 2026, 'bob');
    insert into api.animals values (1, 'ann');
    insert into api.dogs values (2, 'bob', 'Rex');`,
};

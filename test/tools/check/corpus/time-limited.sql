-- Own rows change within a day.
create table comments (id int primary key, author text not null, body text, created_at timestamptz not null default now());
insert into comments values (1, 'ann', 'x', '2020-01-01'), (2, 'bob', 'y', now());
alter table comments enable row level security;
create policy everyone_reads on comments for select using (true);
create policy own_new on comments for update to web_user
  using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub') and created_at > now() - interval '1 day');
grant select on comments to web_anon, web_user;
grant update (body) on comments to web_user;

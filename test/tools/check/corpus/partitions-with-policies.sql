-- The partitions have the policies too.
create table events (id int, owner text not null, kind text not null, primary key (id, kind)) partition by list (kind);
create table events_a partition of events for values in ('a');
create table events_b partition of events for values in ('b');
insert into events values (1, 'ann', 'a'), (2, 'bob', 'b');
alter table events enable row level security;
alter table events_a enable row level security;
alter table events_b enable row level security;
create policy own on events to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own on events_a to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own on events_b to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on events, events_a, events_b to web_user;

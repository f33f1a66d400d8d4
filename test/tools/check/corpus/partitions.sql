-- Policies of a partitioned table; its partitions are granted to nobody.
create table events (id int, owner text not null, day date not null, primary key (id, day)) partition by range (day);
create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01');
insert into events values (1, 'ann', '2025-05-01'), (2, 'bob', '2026-05-01');
alter table events enable row level security;
create policy own on events to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on events to web_user;

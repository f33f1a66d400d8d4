-- Counts of all rows, kept.
create table visits (id int primary key, person text not null, page text);
insert into visits values (1, 'ann', '/'), (2, 'bob', '/');
alter table visits enable row level security;
create policy own on visits for select to web_user using (person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create materialized view popular as select page, count(*) as visits from visits group by page;
grant select on visits to web_user;
grant select on popular to web_anon, web_user;

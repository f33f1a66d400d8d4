-- A function asks a table for the duty.
create table staff (person text primary key);
create table salaries (person text primary key, amount numeric);
insert into staff values ('cy');
insert into salaries values ('ann', 1), ('bob', 2);
create function is_staff() returns boolean language sql stable security definer set search_path = ''
begin atomic
  select exists (select from staff where person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
end;
revoke execute on function is_staff from public;
grant execute on function is_staff to web_user;
alter table staff enable row level security;
alter table salaries enable row level security;
create policy own on salaries for select to web_user using (person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy staff_reads on salaries for select to web_user using ((select is_staff()));
grant select on salaries to web_user;

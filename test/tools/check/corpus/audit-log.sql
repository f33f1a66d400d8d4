-- A trigger records changes; only auditors read them.
create table things (id int primary key, name text);
create table changes (id int primary key generated always as identity, thing int, by_whom text);
insert into things values (1, 'x');
insert into changes (thing, by_whom) values (1, 'ann'), (1, 'bob');
create function record() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  return new;
end $$;
revoke execute on function record from public;
create trigger record after update on things for each row execute function record();
alter table things enable row level security;
alter table changes enable row level security;
create policy maintainers on things to web_admin using (true);
create policy auditors on changes for select to web_admin using (true);
grant select, update on things to web_admin;
grant select on changes to web_admin;

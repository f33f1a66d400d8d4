-- A trigger sets the owner, whatever was sent.
create table notes (id int primary key, owner text, body text);
insert into notes values (1, 'ann', 'x'), (2, 'bob', 'y');
create function set_owner() returns trigger language plpgsql as $$
begin
  new.owner := current_setting('request.jwt.claims', true)::json ->> 'sub';
  return new;
end $$;
revoke execute on function set_owner from public;
create trigger set_owner before insert on notes for each row execute function set_owner();
alter table notes enable row level security;
create policy own on notes for select to web_user
  using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy adds on notes for insert to web_user with check (true);
grant select, insert on notes to web_user;

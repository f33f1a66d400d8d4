-- A SECURITY DEFINER function asks for the membership, so that the policy does not ask itself.
create table members (team text, person text, primary key (team, person));
insert into members values ('one', 'ann'), ('two', 'bob');
create function is_member(asked text) returns boolean language sql stable security definer set search_path = ''
begin atomic
  select exists (select from members where team = asked and person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
end;
revoke execute on function is_member from public;
grant execute on function is_member to web_user;
alter table members enable row level security;
create policy colleagues on members for select to web_user using (is_member(team));
grant select on members to web_user;

-- The schema `api` is served; `private` is not.
create schema api;
create schema private;
grant usage on schema api to web_anon, web_user;
grant usage on schema private to web_user;

-- Who sends the request: the claim `sub` of the token.
create function private.me() returns text
language sql stable
return nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub';

revoke execute on function private.me from public;
grant execute on function private.me to web_user;

-- A function of the schema `api` is a route: GET /rpc/progress
create function api.progress() returns table (done bigint, total bigint)
language sql stable
begin atomic
  select count(*) filter (where is_done), count(*) from api.todos;
end;

revoke execute on function api.progress from public;
grant execute on function api.progress to web_anon;

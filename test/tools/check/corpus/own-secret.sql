-- People read their own keys.
create table api_keys (id int primary key, owner text not null, api_key text not null);
insert into api_keys values (1, 'ann', 'x'), (2, 'bob', 'y');
alter table api_keys enable row level security;
create policy own on api_keys to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, delete on api_keys to web_user;

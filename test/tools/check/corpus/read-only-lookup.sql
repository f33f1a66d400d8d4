-- A list that everyone reads, without row-level security.
create table countries (code text primary key, name text);
insert into countries values ('at', 'Austria');
grant select on countries to web_anon, web_user;

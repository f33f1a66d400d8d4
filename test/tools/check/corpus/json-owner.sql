-- The owner is part of a document.
create table documents (id int primary key, body jsonb not null);
insert into documents values (1, '{"owner": "ann"}'), (2, '{"owner": "bob"}');
alter table documents enable row level security;
create policy own on documents to web_user using (body ->> 'owner' = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on documents to web_user;

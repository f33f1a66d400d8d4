-- A table names the readers.
create table documents (id int primary key, owner text not null, body text);
create table shares (document_id int, reader text, primary key (document_id, reader));
insert into documents values (1, 'ann', 'x'), (2, 'bob', 'y');
insert into shares values (2, 'ann');
alter table documents enable row level security;
alter table shares enable row level security;
create policy own on documents to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy shared on documents for select to web_user
  using (id in (select document_id from shares where reader = (select current_setting('request.jwt.claims', true)::json ->> 'sub')));
create policy oneself on shares for select to web_user using (reader = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on documents to web_user;
grant select on shares to web_user;

-- An array names the readers.
create table documents (id int primary key, owner text not null, readers text[] not null default '{}', body text);
insert into documents values (1, 'ann', '{bob}', 'x'), (2, 'bob', '{}', 'y');
alter table documents enable row level security;
create policy own on documents to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy shared on documents for select to web_user using ((select current_setting('request.jwt.claims', true)::json ->> 'sub') = any (readers));
grant select, insert, update, delete on documents to web_user;

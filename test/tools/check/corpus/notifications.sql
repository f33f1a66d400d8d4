-- Triggers write notifications; people read and mark their own.
create table notifications (id int primary key, recipient text not null, is_read boolean not null default false);
insert into notifications values (1, 'ann', false), (2, 'bob', false);
alter table notifications enable row level security;
create policy own on notifications for select to web_user using (recipient = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy marks on notifications for update to web_user using (recipient = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, update (is_read), delete on notifications to web_user;

-- Counts over all rows.
create table votes (id int primary key, voter text not null unique, choice text);
insert into votes values (1, 'ann', 'yes'), (2, 'bob', 'no');
alter table votes enable row level security;
create policy own on votes for select to web_user using (voter = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy votes_once on votes for insert to web_user with check (voter = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view results as select choice, count(*) as votes from votes group by choice;
grant select, insert on votes to web_user;
grant select on results to web_anon, web_user;

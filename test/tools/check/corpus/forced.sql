-- Policies hold for the owner too.
create table ledger (id int primary key, account text not null, amount numeric);
insert into ledger values (1, 'ann', 1), (2, 'bob', 2);
alter table ledger enable row level security;
alter table ledger force row level security;
create policy own on ledger for select to web_user using (account = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view balances as select account, sum(amount) as balance from ledger group by account;
grant select on ledger, balances to web_user;

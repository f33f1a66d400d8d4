-- A wall on which everybody draws.
create table wall (id int primary key, drawing text);
insert into wall values (1, 'x');
grant select, insert, update, delete on wall to web_anon, web_user;

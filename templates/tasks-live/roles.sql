-- Requests without a token run as web_anon; those of a person who signed in as web_user, because the token says so.
create role web_anon nologin;
create role web_user nologin;
create role web_login login noinherit;
grant web_anon, web_user to web_login;

-- No request may occupy a connection for longer.
alter role web_anon set statement_timeout = '5s';
alter role web_user set statement_timeout = '5s';

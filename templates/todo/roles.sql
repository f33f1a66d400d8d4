-- The role of requests without a token. The server's login role may assume it.
create role web_anon nologin;
create role web_login login noinherit;
grant web_anon to web_login;

-- No request may occupy a connection for longer.
alter role web_anon set statement_timeout = '5s';

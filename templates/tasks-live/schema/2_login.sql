-- Accounts with a name and a password. Who signs in gets two cookies that scripts cannot read: `session` has the token of
-- requests and is valid for 15 minutes; `renewal` brings the next one, for 30 days or until the person signs out.
-- For mail addresses, confirmation and resets, see "Login" in the documentation.
create extension if not exists pgcrypto schema private;

-- Its one row is the server's SVC_JWT_SECRET.
create table private.signing_key (secret text not null);

create table private.accounts (
  name text primary key,
  password_hash text not null
);

-- A copy of the database opens no session: it has only hashes.
create table private.sessions (
  renewal_hash bytea primary key,
  person text not null references private.accounts on delete cascade,
  expires_at timestamptz not null
);
create index on private.sessions (person);

create table private.attempts (
  name text not null,
  hour timestamptz not null,
  count integer not null,
  primary key (name, hour)
);

create function private.hash(secret text) returns bytea language sql immutable
  return sha256(convert_to(coalesce(secret, ''), 'UTF8'));

create function private.base64url(bytes bytea) returns text language sql immutable
  return translate(encode(bytes, 'base64'), e'+/=\n', '-_');

create function private.sign_token(person text) returns text language plpgsql set search_path = '' as $$
declare
  claims json := json_build_object('role', 'web_user', 'sub', person, 'exp', extract(epoch from now())::integer + 900);
  content text := private.base64url('{"alg":"HS256"}') || '.' || private.base64url(convert_to(claims::text, 'UTF8'));
  key text := (select secret from private.signing_key);
begin
  if key is null then
    raise 'private.signing_key has no row' using hint = 'npm run dev makes one. Elsewhere, insert the SVC_JWT_SECRET.';
  end if;
  return content || '.' || private.base64url(private.hmac(content, key, 'sha256'));
end $$;

-- Browsers send the cookies to /api only (Path), and not for other sites (SameSite). The first one ends before its token
-- does. Only while the page is served by this machine, they may go without HTTPS.
create function private.set_cookies(token text, token_age integer, renewal text, renewal_age integer) returns void
language plpgsql set search_path = '' as $$
declare
  origin text := coalesce(current_setting('request.headers', true)::json ->> 'origin', '');
  attributes text := '; HttpOnly; SameSite=Strict'
    || case when origin ~ '^http://(localhost|127\.0\.0\.1)(:|$)' then '' else '; Secure' end;
  cookies text[] := array[format('session=%s; Path=/api; Max-Age=%s', token, token_age)];
begin
  if renewal is not null then
    cookies := cookies || format('renewal=%s; Path=/api/rpc; Max-Age=%s', renewal, renewal_age);
  end if;
  perform set_config('response.headers',
    (select json_agg(json_build_object('Set-Cookie', cookie || attributes))::text from unnest(cookies) cookie), true);
end $$;

create function private.open_session(person text) returns text language plpgsql set search_path = '' as $$
declare
  renewal text := encode(private.gen_random_bytes(32), 'hex');
begin
  delete from private.sessions where expires_at < now();
  insert into private.sessions values (private.hash(renewal), person, now() + interval '30 days');
  perform private.set_cookies(private.sign_token(person), 890, renewal, 30 * 86400);
  return person;
end $$;

create function private.renewal_hash() returns bytea language sql stable
  return private.hash(current_setting('request.cookies', true)::json ->> 'renewal');

-- The functions of the API return the name of the person, or what is wrong, with a status that says so.
create function api.sign_up(name text, password text) returns text
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(sign_up.name, '') !~ '^[a-z][a-z0-9_-]{1,19}$' then
    raise 'A name has 2 to 20 characters: a to z, 0 to 9, _ and -, a letter first.' using errcode = 'PT400';
  elsif coalesce(octet_length(sign_up.password), 0) not between 8 and 72 then
    raise 'A password has 8 to 72 characters.' using errcode = 'PT400';
  end if;
  insert into private.accounts values (sign_up.name, private.crypt(sign_up.password, private.gen_salt('bf', 10)))
  on conflict do nothing;
  if not found then
    raise '% has an account already.', sign_up.name using errcode = 'PT409';
  end if;
  return private.open_session(sign_up.name);
end $$;

-- Counts attempts, also those for names without an account. An exception would take the count back, so a failure sets the
-- status of the response instead.
create function api.log_in(name text, password text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  hash text := (select password_hash from private.accounts where accounts.name = log_in.name);
  attempts integer;
begin
  delete from private.attempts where hour < now() - interval '1 day';
  insert into private.attempts as known values (left(coalesce(log_in.name, ''), 20), date_trunc('hour', now()), 1)
  on conflict on constraint attempts_pkey do update set count = known.count + 1
  returning count into attempts;
  if attempts > 20 then
    perform set_config('response.status', '429', true);
    return 'Too many attempts. Try again in an hour.';
  end if;
  -- An unknown name takes as long as a wrong password.
  if private.crypt(coalesce(log_in.password, ''), coalesce(hash, private.gen_salt('bf', 10))) is distinct from hash then
    perform set_config('response.status', '401', true);
    return 'Wrong name or password.';
  end if;
  delete from private.attempts where attempts.name = log_in.name;
  return private.open_session(log_in.name);
end $$;

-- Returns null if nobody is signed in.
create function api.renew() returns text
language plpgsql security definer set search_path = '' as $$
declare
  person text := (select sessions.person from private.sessions where renewal_hash = private.renewal_hash() and expires_at > now());
begin
  if person is not null then
    perform private.set_cookies(private.sign_token(person), 890, null, 0);
  end if;
  return person;
end $$;

create function api.log_out() returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.sessions where renewal_hash = private.renewal_hash();
  perform private.set_cookies('', 0, '', 0);
end $$;

-- Only the owner of these functions calls them.
revoke execute on function private.hash, private.base64url, private.sign_token, private.set_cookies, private.open_session,
  private.renewal_hash from public;
revoke execute on function api.sign_up, api.log_in, api.renew, api.log_out from public;
grant execute on function api.sign_up, api.log_in, api.renew, api.log_out to web_anon, web_user;

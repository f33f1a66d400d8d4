-- Names that have to be quoted wherever they are written, beside the harbour.
create table api."odd 'name', ""two"" (1) $x é" (
  id integer primary key,
  "full name" text not null,
  "a,b" integer,
  "say ""hi""" text,
  "it's" text,
  port integer references api.ports
);
insert into api."odd 'name', ""two"" (1) $x é" values
  (1, 'Ada, "the" first', 1, 'x', 'y''s', 1),
  (2, 'Grace (B)', 2, '$HOME `id` \', E'two\nlines', 2),
  (3, 'ünïcödé 日本 🚤', null, null, null, null);
create table api."50% a/b?#" (id integer primary key);
insert into api."50% a/b?#" values (7);
create function api.joined(variadic words text[]) returns text language sql immutable return array_to_string(words, '+');
create function api."say it"("to whom" text, "a&b" text default '') returns text language sql immutable
  return "to whom" || '/' || "a&b";
create function api.bearer() returns text language sql stable
  return current_setting('request.headers', true)::json ->> 'authorization';

create table api.messages (
  id bigint generated always as identity primary key,
  room_id bigint not null references api.rooms on delete cascade,
  author text not null default private.me(),
  body text not null check (body <> '' and length(body) <= 2000),
  sent_at timestamptz not null default now()
);
create index on api.messages (room_id, id);

-- The author and the time come from the defaults: nobody may give them.
grant select on api.messages to web_user;
grant insert (room_id, body) on api.messages to web_user;
grant update (body), delete on api.messages to web_user;

alter table api.messages enable row level security;

create policy members_read on api.messages for select to web_user using (private.is_member(room_id));
create policy members_write on api.messages for insert to web_user
  with check (private.is_member(room_id) and author = (select private.me()));
create policy authors_edit on api.messages for update to web_user using (author = (select private.me()));
create policy authors_remove on api.messages for delete to web_user using (author = (select private.me()));

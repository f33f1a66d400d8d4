-- Everybody's password is: tea and plums
insert into private.accounts
select name, private.crypt('tea and plums', private.gen_salt('bf', 6)) from unnest(array['ann', 'bob', 'cy']) name;

insert into api.lists (id, name, owner, created_at) values
  ('00000000-0000-4000-8000-000000000001', 'Summer party', 'ann', '2026-06-01 09:00Z'),
  ('00000000-0000-4000-8000-000000000002', 'Groceries', 'ann', '2026-06-01 09:05Z'),
  ('00000000-0000-4000-8000-000000000003', 'Workshop', 'bob', '2026-06-01 09:10Z');

insert into api.members (list_id, person) values ('00000000-0000-4000-8000-000000000001', 'bob');

insert into api.tasks (id, list_id, title, is_done, added_by, created_at) values
  ('00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000001', 'Ask the neighbors for chairs', true, 'ann', '2026-06-01 09:01Z'),
  ('00000000-0000-4000-8000-000000000012', '00000000-0000-4000-8000-000000000001', 'Hang up the lanterns', false, 'ann', '2026-06-01 09:02Z'),
  ('00000000-0000-4000-8000-000000000013', '00000000-0000-4000-8000-000000000001', 'Bring the big pot', false, 'bob', '2026-06-01 09:03Z'),
  ('00000000-0000-4000-8000-000000000021', '00000000-0000-4000-8000-000000000002', 'Plums', false, 'ann', '2026-06-01 09:06Z'),
  ('00000000-0000-4000-8000-000000000031', '00000000-0000-4000-8000-000000000003', 'Sharpen the plane', false, 'bob', '2026-06-01 09:11Z');

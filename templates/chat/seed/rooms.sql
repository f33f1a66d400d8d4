insert into api.rooms (name) values ('Kitchen'), ('Garden');
insert into api.members (room_id, person) values (1, 'ann'), (1, 'bob'), (2, 'bob');
insert into api.messages (room_id, author, body) values
  (1, 'ann', 'Is there any tea left?'),
  (1, 'bob', 'Second shelf.'),
  (2, 'bob', 'The beans are up.');

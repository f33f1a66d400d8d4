insert into api.todos (title, is_done) values
  ('Look at the list in the explorer', true),
  ('Add a column to schema/todos.sql and save it', false),
  ('Write a policy', false);

insert into api.organizations (name) values ('Bakery'), ('Workshop');
insert into api.memberships values (1, 'ann', 'admin'), (1, 'bob', 'member'), (2, 'bob', 'admin');
insert into api.projects (organization_id, name) values (1, 'New oven'), (2, 'Boat');
insert into api.tasks (organization_id, project_id, title) values (1, 1, 'Measure the door'), (2, 2, 'Buy planks');

// Changes of a table, and of options of a view, that the clients of the view notice.
import { expect, test } from 'vitest';
import { ANON, summarize, USER, useSchemaDiff } from './diff-schemas.ts';

const { compare } = await useSchemaDiff();

const VIEW = `; create view seen as select id as no, n, m from private.hidden; grant select, insert, update on seen to ${ANON}`;

/** A table that only the view shows. */
function hidden(columns: string): string {
  return `create table private.hidden (${columns})${VIEW}`;
}

/** Two tables that only views show. @param unique of the reference */
function related(unique: string): string {
  return `create table private.parent (id integer primary key);
    create table private.child (id integer primary key, parent integer ${unique} references private.parent);
    create view parents as select * from private.parent; create view children as select * from private.child;
    grant select on parents, children to ${ANON}`;
}

const TABLE = 'create table orders (id integer primary key, owner text)';
const POLICIES = '; alter table orders enable row level security; create policy own on orders using (id > 1)';
const INVOKER = ` with (security_invoker = true)`;

function orders(options: string, rest = ''): string {
  return `${TABLE}; create view mine${options} as select * from orders; grant select on mine, orders to ${ANON}${rest}`;
}

const CHANGES: readonly (readonly [before: string, after: string, ...found: readonly string[]])[] = [
  [
    hidden('id integer primary key, n integer, m integer'),
    hidden('id integer not null, n integer, m integer'),
    'breaking conflict-target-removed /seen',
    'breaking key-changed /seen',
  ],
  [
    hidden('id integer primary key, n integer, m integer, unique (n, m)'),
    hidden('id integer primary key, n integer, m integer'),
    'breaking conflict-target-removed /seen',
  ],
  [
    hidden('id integer primary key, n integer, m integer, o integer unique, p integer check (p > 0)'),
    hidden('id integer primary key, n integer, m integer, o integer'),
  ],
  [
    hidden('id integer primary key, n integer, m integer'),
    hidden('id integer primary key, n integer, m integer, unique (n), check (id < m), unique (id, m)'),
    'risky constraint-added /seen',
    'risky constraint-added /seen',
  ],
  [
    hidden('id integer primary key, n integer, m integer, o integer'),
    hidden('id integer primary key, n integer, m integer, o integer unique check (o > 0)'),
  ],
  [
    `${TABLE}; create view few as select * from orders where id > 1; grant all on few to ${ANON}`,
    `${TABLE}; create view few as select * from orders where id > 1 with check option; grant all on few to ${ANON}`,
    'risky constraint-added /few',
  ],
  [
    `${TABLE}; create view few as select * from orders where id > 1 with local check option; grant all on few to ${ANON}`,
    `${TABLE}; create view few as select * from orders where id > 2 with local check option; grant all on few to ${ANON}`,
    'risky constraint-added /few',
  ],
  [
    `${TABLE}; create view few as select * from orders where id > 1 with check option; grant all on few to ${ANON}`,
    `${TABLE}; create view few as select * from orders where id > 1 with local check option; grant all on few to ${ANON}`,
  ],
  [related('unique'), related(''), 'breaking embed-cardinality-changed /parents children'],
  [orders('', POLICIES), orders(INVOKER, POLICIES), 'risky policy-changed /mine'],
  [orders(INVOKER, POLICIES), orders('', POLICIES), 'risky policy-changed /mine'],
  [orders(''), orders(INVOKER)],
  [
    orders(INVOKER, POLICIES),
    orders(INVOKER, POLICIES.replace('id > 1', 'id > 2')),
    'risky policy-changed /mine own',
    'risky policy-changed /orders own',
  ],
  [
    `${TABLE}; create view mine as select id from orders; grant select, insert on mine to ${USER}`,
    `${TABLE}; create view mine${INVOKER} as select id from orders; grant select, insert on mine to ${USER}; grant select (id) on orders to ${USER}`,
    'breaking privilege-lost /mine insert',
    'risky privilege-gained /orders select',
  ],
  [
    `${TABLE}; create view mine as select id from orders; create view all_mine${INVOKER} as select * from mine; grant select on mine, all_mine to ${USER}`,
    `${TABLE}; create view mine${INVOKER} as select id from orders; create view all_mine${INVOKER} as select * from mine; grant select on mine, all_mine to ${USER}`,
    'breaking privilege-lost /all_mine select',
    'breaking privilege-lost /mine select',
  ],
];

test.each(CHANGES)('P24n a view: %s → %s', async (before, after, ...found) => {
  expect((await compare(before, after)).map(summarize)).toEqual(found);
});

test('P24o a constraint is reported in the names of the view', async () => {
  const changes = await compare(
    hidden('id integer primary key, n integer, m integer'),
    hidden('id integer primary key, n integer, m integer, constraint small check (id < m)'),
  );
  expect(changes.map(({ message }) => message)).toEqual(['writes must satisfy small: CHECK ((no < m))']);
});

test('P24p a condition of a view is reported as PostgreSQL prints it', async () => {
  const view = (rest: string): string =>
    `${TABLE}; create view few as select * from orders where id > 1${rest}; grant all on few to ${ANON}`;
  const changes = await compare(view(''), view(' with check option'));
  expect(changes.map(({ message }) => message)).toEqual([
    'writes must satisfy the condition of the view: WITH CASCADED CHECK OPTION, WHERE id > 1',
  ]);
});

// Random writes to the tables of the convergence test, which move rows between teams, owners, states and partitions.
import type { Random } from '../../support/generate/random.ts';

export const OWNERS: readonly string[] = ['ann', 'bob', 'cyd'];
/** Keys of one owner in the vault, so that a key tells whose it is. */
const VAULT_KEYS = 1000;

type Maker = (random: Random) => string;

const id = (random: Random): number => random.roll(30);
const team = (random: Random): number => 1 + random.roll(3);

const upsertTask: Maker = (random) =>
  `insert into api.task values (${id(random)}, ${team(random)}, '${random.pick(OWNERS)}', '${random.pick(['open', 'done'])}',
    'n${random.roll(99)}', ${random.chance(0.5)})
  on conflict (id) do update
  set team_id = excluded.team_id, owner = excluded.owner, note = excluded.note, urgent = excluded.urgent`;

const WRITES: readonly Maker[] = [
  upsertTask,
  upsertTask,
  upsertTask,
  (random) =>
    `update api.task set state = '${random.pick(['open', 'done'])}', note = 'm${random.roll(99)}' where id % 5 = ${random.roll(5)}`,
  (random) => `delete from api.task where id % 7 = ${random.roll(7)}`,
  (random) => {
    const from = id(random);
    return `update api.task set id = id + 30 where id = ${from}
      and not exists (select from api.task other where other.id = ${from} + 30)`;
  },
  (random) => `insert into api.member values (${team(random)}, '${random.pick(OWNERS)}') on conflict do nothing`,
  (random) => `delete from api.member where who = '${random.pick(OWNERS)}' and team_id = ${team(random)}`,
  (random) => `insert into api.event values (${id(random)}, ${random.roll(10)}, 'e')
    on conflict (id, day) do update set note = 'f${random.roll(99)}'`,
  (random) => {
    const moved = id(random);
    return `update api.event set day = ${random.roll(10)} where id = ${moved}
      and not exists (select from api.event other where other.id = ${moved} and other.day <> event.day)`;
  },
  (random) => `delete from api.event where day = ${random.roll(10)}`,
  (random) => {
    const owner = random.roll(OWNERS.length);
    return `insert into api.vault values (${owner * VAULT_KEYS + id(random)}, '${OWNERS[owner]}',
      'of ${OWNERS[owner]} ${random.roll(99)}') on conflict (id) do update set note = excluded.note`;
  },
  (random) => `delete from api.vault where id % ${VAULT_KEYS} = ${id(random)}`,
  (random) =>
    random.chance(0.1)
      ? random.pick(['truncate api.task', 'truncate api.event_1'])
      : `update api.team set name = 'team ${random.roll(99)}' where id = ${team(random)}`,
];

/** Returns the statements of a transaction. */
export function randomWrites(random: Random): readonly string[] {
  return random.list(1, 8, () => random.pick(WRITES)(random));
}

// Which groups a transaction is passed on to.
import { describe, expect, test } from 'vitest';
import type { LogTransaction, RelationChanges, RowChange } from '../../src/extensions/live/log/log-changes.ts';
import { mayMatch, findKeys } from '../../src/extensions/live/events/concerns.ts';
import { type Dependence, type Interest, Interests } from '../../src/extensions/live/events/interests.ts';
import { Random } from '../support/generate/random.ts';

const COLUMNS = ['id', 'room', 'kind'];
const TABLES = [1, 2, 3];

function transaction(changes: ReadonlyMap<number, RelationChanges>): LogTransaction {
  return { position: { timeline: 1, lsn: 1n }, xid: 1, byteLength: 0, changes, described: new Map() };
}

function byRoom(value: string, tables: readonly number[] = [1]): Dependence {
  return {
    relations: new Set([9]),
    rows: { tables: new Set(tables), key: ['id'], equality: { column: 'room', kind: 'text', value } },
  };
}

describe('B72 the index of equalities', () => {
  const row = (id: string, room: string | undefined): RowChange => ({
    columns: COLUMNS,
    before: undefined,
    after: [id, room, 'x'],
  });

  function enter(interests: Interests, dependence: Dependence): { interest: Interest; takeCount: () => number } {
    let count = 0;
    const interest = interests.enter(() => (count += 1));
    interest.depend(dependence);
    const takeCount = (): number => {
      const taken = count;
      count = 0;
      return taken;
    };
    return { interest, takeCount };
  }

  test('a change concerns the group of its value, and those that have its row', () => {
    const interests = new Interests();
    const [one, two] = [enter(interests, byRoom('1')), enter(interests, byRoom('2'))];
    interests.pass(transaction(new Map([[1, [row('7', '1')]]])));
    expect([one.takeCount(), two.takeCount()]).toEqual([1, 0]);
    two.interest.know(['["7"]']);
    interests.pass(transaction(new Map([[1, [row('7', '1')]]])));
    expect([one.takeCount(), two.takeCount()]).toEqual([1, 1]);
    two.interest.forget('["7"]');
    interests.pass(transaction(new Map([[1, [row('7', undefined)]]])));
    expect([one.takeCount(), two.takeCount()]).toEqual([1, 1]);
  });

  test('a deletion concerns those that have the row, or read all rows', () => {
    const interests = new Interests();
    const groups = ['1', '2', '3'].map((value) => enter(interests, byRoom(value)));
    groups[1]?.interest.know(['["7"]']);
    groups[2]?.interest.open();
    const deletion: RowChange = { columns: COLUMNS, before: ['7', null, null], after: undefined };
    interests.pass(transaction(new Map([[1, [deletion]]])));
    expect(groups.map(({ takeCount }) => takeCount())).toEqual([0, 1, 1]);
    groups[2]?.interest.close(['["8"]']);
    interests.pass(transaction(new Map([[1, [deletion]]])));
    expect(groups.map(({ takeCount }) => takeCount())).toEqual([0, 1, 0]);
  });

  test('TRUNCATE, rows without a key and other relations concern all that depend on them', () => {
    const interests = new Interests();
    const [one, two] = [enter(interests, byRoom('1')), enter(interests, byRoom('2', [2]))];
    interests.pass(transaction(new Map([[1, 'all']])));
    expect([one.takeCount(), two.takeCount()]).toEqual([1, 0]);
    interests.pass(transaction(new Map([[1, [{ columns: ['room'], before: undefined, after: ['3'] }]]])));
    expect([one.takeCount(), two.takeCount()]).toEqual([1, 0]);
    interests.pass(transaction(new Map([[9, [row('1', '1')]]])));
    expect([one.takeCount(), two.takeCount()]).toEqual([1, 1]);
  });

  test('a group without a plan takes everything, and one that has left nothing', () => {
    const interests = new Interests();
    let count = 0;
    const interest = interests.enter(() => (count += 1));
    interests.pass(transaction(new Map([[5, 'all']])));
    interest.leave();
    interests.pass(transaction(new Map([[5, 'all']])));
    expect(count).toBe(1);
  });

  test('random changes reach the groups that would have asked for them', () => {
    for (let seed = 0; seed < 300; seed += 1) compare(new Random(seed));
  });
});

/** What a group asks for, without the index. */
interface Model {
  readonly dependence: Dependence;
  readonly known: Set<string>;
  isOpen: boolean;
}

function compare(random: Random): void {
  const interests = new Interests();
  const taken = new Set<Model>();
  const groups = random.list(1, 8, () => {
    const value = String(random.roll(3));
    const model: Model = {
      dependence: byRoom(value, random.pick([[1], [1, 2], [3]])),
      known: new Set(),
      isOpen: false,
    };
    const interest = interests.enter(() => taken.add(model));
    interest.depend(model.dependence);
    return { model, interest };
  });
  for (let step = 0; step < 40; step += 1) {
    const { model, interest } = random.pick(groups);
    const keys = random.list(0, 3, () => `["${random.roll(6)}"]`);
    const change = random.roll(5);
    if (change === 0) interest.know(keys.map((key) => (model.known.add(key), key)));
    else if (change === 1) for (const key of keys) interest.forget((model.known.delete(key), key));
    else if (change === 2) {
      interest.open();
      model.isOpen = true;
    } else if (change === 3) {
      interest.close(keys);
      model.isOpen = false;
      model.known.clear();
      for (const key of keys) model.known.add(key);
    } else interest.depend(model.dependence);
    const oid = random.pick(TABLES);
    const changes = random.chance(0.1) ? 'all' : random.list(1, 3, () => randomChange(random));
    taken.clear();
    interests.pass(transaction(new Map([[oid, changes]])));
    const expected = groups.filter((group) => isConcerned(group.model, oid, changes)).map((group) => group.model);
    expect(new Set(taken)).toEqual(new Set(expected));
  }
}

function randomChange(random: Random): RowChange {
  const value = (sides: number): string | undefined => (random.chance(0.1) ? undefined : String(random.roll(sides)));
  const key = (): readonly (string | null | undefined)[] => [value(6), null, null];
  return {
    columns: COLUMNS,
    before: random.chance(0.3) ? key() : undefined,
    after: random.chance(0.7) ? [value(6), random.chance(0.1) ? null : value(3), 'x'] : undefined,
  };
}

function isConcerned({ dependence, known, isOpen }: Model, oid: number, changes: RelationChanges): boolean {
  const { rows } = dependence;
  if (rows?.tables.has(oid) !== true) return false;
  if (isOpen || changes === 'all') return true;
  return changes.some((change) => {
    const keys = findKeys(change, rows.key);
    return (
      keys === undefined || keys.some((key) => known.has(key)) || mayMatch(change, { key: [], equality: rows.equality })
    );
  });
}

import { expect, test } from 'vitest';
import { findRelationships } from '../../src/catalog/schema-cache.ts';
import { describeRelationships, loadCache } from '../support/load-cache.ts';

function manyToMany(name: string): readonly string[] {
  return describeRelationships(cache, name).filter((line) => line.startsWith('manyToMany'));
}

const cache = await loadCache(`
    create schema api; create schema depot;
    create table api.pilot (id int primary key, trainer_id int references api.pilot);
    create table api.vessel (id int primary key, pilot_id int references api.pilot, second_id int references api.pilot);
    create table api.berth (id int primary key);
    create table api.visit (vessel_id int references api.vessel, berth_id int references api.berth, at int,
      primary key (vessel_id, berth_id, at));
    create table api.vessel_paper (vessel_id int primary key references api.vessel);
    create table api.berth_plate (id int primary key, berth_id int unique references api.berth);
    create table api.berth_sign (id int primary key, berth_id int references api.berth);
    create unique index on api.berth_sign (berth_id);
    create table api.berth_note (id int primary key, berth_id int references api.berth, at int, unique (berth_id, at));
    create table api.shift (id int primary key, vessel_id int references api.vessel, berth_id int references api.berth);
    create table api.tug (id int primary key);
    create table api.barge (id int primary key);
    create table depot.tow (tug_id int references api.tug, barge_id int references api.barge, primary key (tug_id, barge_id));
    create table api.mooring (slot int, pier text, primary key (slot, pier));
    create table api.rope (id int primary key, on_pier text, on_slot int,
      foreign key (on_pier, on_slot) references api.mooring (pier, slot));
    create table api.anchor (pier text, slot int, unique (slot, pier),
      foreign key (pier, slot) references api.mooring (pier, slot));
    create table api.log (id int, day int, buoy_id int, primary key (id, day)) partition by range (day);
    create table api.buoy (id int primary key);
    alter table api.log add foreign key (buoy_id) references api.buoy;
    create table api.log_low partition of api.log for values from (0) to (100);
    create table api.log_high partition of api.log for values from (100) to (200);
    create table api.log_note (id int primary key, entry_id int, entry_day int,
      foreign key (entry_id, entry_day) references api.log (id, day));
    create table api.islet (id int primary key);
    create table api.bridge (from_id int references api.islet, to_id int references api.islet, primary key (from_id, to_id));
  `);

test('O139 R144 a composite key keeps its column pairs in key order', () => {
  expect(describeRelationships(cache, 'rope')).toEqual([
    'manyToOne mooring by rope_on_pier_on_slot_fkey (on_pier=pier on_slot=slot)',
  ]);
});

test('R143 a foreign key is many-to-one, and one-to-many in the inverse direction', () => {
  expect(describeRelationships(cache, 'vessel').slice(0, 2)).toEqual([
    'manyToMany berth via visit (id=vessel_id) (berth_id=id)',
    'manyToOne pilot by vessel_pilot_id_fkey (pilot_id=id)',
  ]);
  expect(describeRelationships(cache, 'pilot')).toContain('oneToMany vessel by vessel_pilot_id_fkey (id=pilot_id)');
});

test('two keys between the same tables are two relationships, ordered by constraint', () => {
  expect(describeRelationships(cache, 'pilot').filter((line) => line.includes(' vessel '))).toEqual([
    'oneToMany vessel by vessel_pilot_id_fkey (id=pilot_id)',
    'oneToMany vessel by vessel_second_id_fkey (id=second_id)',
  ]);
});

test('O140 R146 keys of a partitioned table count once, and not for its partitions', () => {
  expect(describeRelationships(cache, 'log')).toEqual([
    'manyToOne buoy by log_buoy_id_fkey (buoy_id=id)',
    'oneToMany log_note by log_note_entry_id_entry_day_fkey (id=entry_id day=entry_day)',
  ]);
  expect(describeRelationships(cache, 'buoy')).toEqual(['oneToMany log by log_buoy_id_fkey (id=buoy_id)']);
  expect(describeRelationships(cache, 'log_note')).toHaveLength(1);
  expect(describeRelationships(cache, 'log_low')).toEqual([]);
});

test('O141 R145 a key whose columns form the primary key or a unique constraint, in any order, is one-to-one', () => {
  expect(describeRelationships(cache, 'vessel_paper')).toEqual([
    'oneToOne vessel by vessel_paper_vessel_id_fkey (vessel_id=id)',
  ]);
  expect(describeRelationships(cache, 'vessel')).toContain(
    'oneToOne parent vessel_paper by vessel_paper_vessel_id_fkey (id=vessel_id)',
  );
  expect(describeRelationships(cache, 'berth_plate')).toEqual([
    'oneToOne berth by berth_plate_berth_id_fkey (berth_id=id)',
  ]);
  expect(describeRelationships(cache, 'anchor')).toEqual([
    'oneToOne mooring by anchor_pier_slot_fkey (pier=pier slot=slot)',
  ]);
});

test('O142 a key with only a unique index or a wider unique constraint stays many-to-one', () => {
  expect(describeRelationships(cache, 'berth_sign')).toEqual([
    'manyToOne berth by berth_sign_berth_id_fkey (berth_id=id)',
  ]);
  expect(describeRelationships(cache, 'berth_note')).toEqual([
    'manyToOne berth by berth_note_berth_id_fkey (berth_id=id)',
  ]);
});

test('O143 a self reference is a relationship in both directions, marked as self', () => {
  const self = findRelationships(cache, { schema: 'api', name: 'pilot' }).filter(({ isSelf }) => isSelf);
  expect(self.map(({ kind, target }) => [kind, target.name])).toEqual([
    ['oneToMany', 'pilot'],
    ['manyToOne', 'pilot'],
  ]);
});

test('O144 R147 R148 many-to-many needs both keys inside the primary key, which may be wider', () => {
  expect(manyToMany('vessel')).toEqual(['manyToMany berth via visit (id=vessel_id) (berth_id=id)']);
  expect(manyToMany('berth')).toEqual(['manyToMany vessel via visit (id=berth_id) (vessel_id=id)']);
});

test('a junction of a table with itself relates it in both directions', () => {
  expect(describeRelationships(cache, 'islet')).toEqual([
    'oneToMany bridge by bridge_from_id_fkey (id=from_id)',
    'oneToMany bridge by bridge_to_id_fkey (id=to_id)',
    'manyToMany islet via bridge (id=from_id) (to_id=id)',
    'manyToMany islet via bridge (id=to_id) (from_id=id)',
  ]);
});

test('O145 a junction in an unexposed schema creates no relationship', () => {
  expect(describeRelationships(cache, 'tug')).toEqual([]);
  expect(describeRelationships(cache, 'barge')).toEqual([]);
});

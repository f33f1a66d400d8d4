// Decides whether a read is certain to return exactly the rows that its count query counts (`reading.md` §9.4). Only
// then can the size of the page be derived from the total before the rows arrive.
import { findRelation, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';
import type { Leftovers } from '../../contract/transaction.ts';
import { countPresenceTests, type ReadPlan } from '../levels/read-plan.ts';

/** User code, views and foreign tables may return a different number on each read; `leftovers` covers all three. */
export function isRelationCountCertain(read: ReadPlan, leftovers: Leftovers, cache: SchemaCache): boolean {
  return (
    leftovers === 'none' &&
    !read.isGrouped &&
    read.distinct === undefined &&
    !multipliesRows(read, cache) &&
    dropsSameRowsAsCount(read)
  );
}

/**
 * Rows and total come from the same call, but filters, embeds and computed columns (which may be functions) are
 * evaluated separately for each.
 */
export function isCallCountCertain(read: ReadPlan, { columns }: Pick<Relation, 'columns'>): boolean {
  const isBare = read.where.length === 0 && read.embeds.length === 0 && !read.isGrouped && read.distinct === undefined;
  return isBare && read.select.every((item) => item.kind !== 'column' || columns.has(item.field.column));
}

/** A to-one embed can match several rows if other tables inherit from its target, because keys are not inherited. */
function multipliesRows({ embeds }: ReadPlan, cache: SchemaCache): boolean {
  return embeds.some(
    ({ isToOne, relationship, read }) =>
      isToOne && (findRelation(cache, relationship.target)?.hasInheritors !== false || multipliesRows(read, cache)),
  );
}

/** Whether embeds drop the same rows of this level in the read as in the count query. */
function dropsSameRowsAsCount({ embeds, where }: ReadPlan): boolean {
  const tests = countPresenceTests(where);
  return embeds.every(
    ({ join, read }, position) => (join === 'left' && !tests.has(position)) || isPresentIffCounted(read),
  );
}

/** The count query only tests whether related rows exist and ignores their range; an aggregate always returns a row. */
function isPresentIffCounted(read: ReadPlan): boolean {
  const { isGrouped, range } = read;
  return !isGrouped && range.offset === 0 && (range.limit ?? 1) > 0 && dropsSameRowsAsCount(read);
}

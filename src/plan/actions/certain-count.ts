// A read × the catalog → whether it is certain to give as many rows as its count query counts (`reading.md` §9.4): only then
// does the page follow from the total before its rows have come.
import { findRelation, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { Leftovers } from '../../contract/transaction.ts';
import { countPresenceTests, type ReadPlan } from '../levels/read-plan.ts';

/** Users' code, views and foreign tables can give another number each time they are read; `leftovers` includes them. */
export function isRelationCountCertain(read: ReadPlan, leftovers: Leftovers, cache: SchemaCache): boolean {
  return leftovers === 'none' && !read.isGrouped && !multipliesRows(read, cache) && dropsAsCounted(read);
}

/**
 * Rows and total of a function come from the same call. Filters, embeds and computed columns, which can be functions
 * themselves, are evaluated once for each.
 */
export function isCallCountCertain(read: ReadPlan, { columns }: Pick<Relation, 'columns'>): boolean {
  const isBare = read.where.length === 0 && read.embeds.length === 0 && !read.isGrouped;
  return isBare && read.select.every((item) => item.kind !== 'column' || columns.has(item.field.column));
}

/** A row embedded as one can be found several times where a key of its table does not hold for the tables that inherit. */
function multipliesRows({ embeds }: ReadPlan, cache: SchemaCache): boolean {
  return embeds.some(
    ({ isToOne, relationship, read }) =>
      isToOne && (hasInheritors(relationship.target, cache) || multipliesRows(read, cache)),
  );
}

function hasInheritors(name: QualifiedName, cache: SchemaCache): boolean {
  return findRelation(cache, name)?.hasInheritors !== false;
}

/** Embeds drop the same rows of the level here and in the count query. */
function dropsAsCounted({ embeds, where }: ReadPlan): boolean {
  const tests = countPresenceTests(where);
  return embeds.every(
    ({ join, read }, position) => (join === 'left' && !tests.has(position)) || isPresentAsCounted(read),
  );
}

/** The count query asks whether there are related rows, whatever their range; an aggregate has a row even of none. */
function isPresentAsCounted(read: ReadPlan): boolean {
  const { isGrouped, range } = read;
  return !isGrouped && range.offset === 0 && (range.limit ?? 1) > 0 && dropsAsCounted(read);
}

// Decodes rows of the statement `constraintComments` into the messages of constraints, by the names that PostgreSQL
// reports when a row violates one (`beyond.md` §5.3).
import type { ConstraintName } from '../contract/identifiers.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';
import { type CatalogRow, numbersAt, optionalTextAt, textAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import { type CatalogRelation, isView } from './relations.ts';
import type { ConstrainedRelation, ConstraintComments } from './schema-cache.ts';

/** No name contains a NUL, and a table and a domain of one schema have different names. */
export function constraintKey({ schema, owner, name }: ConstraintName): string {
  return [schema, owner, name].join('\0');
}

export function parseConstraintKey(key: string): ConstraintName {
  const [schema = '', owner = '', name = ''] = key.split('\0');
  return { schema, owner, name };
}

export function* decodeConstraintComments(
  rows: readonly CatalogRow[],
  relations: ReadonlyMap<string, CatalogRelation>,
): Slices<ConstraintComments> {
  if (rows.length === 0) return new Map();
  const views = yield* groupViews(relations);
  const found = new Map<string, { message: string; isDomain: boolean; relations: ConstrainedRelation[] }>();
  yield* visitInSlices(rows, (row) => {
    const message = (/^[^\r\n]*/u.exec(textAt(row, 3))?.[0] ?? '').trim();
    if (message === '') return;
    const table = optionalTextAt(row, 4);
    const key = constraintKey({ schema: textAt(row, 0), owner: textAt(row, 1), name: textAt(row, 2) });
    const entry = getOrInsert(found, key, () => ({ message, isDomain: table === undefined, relations: [] }));
    if (table === undefined) return;
    const numbers = numbersAt(row, 5);
    const own = relations.get(table);
    if (own !== undefined) entry.relations.push(describe(own, numbers));
    for (const view of views.get(table) ?? [])
      entry.relations.push(
        describe(
          view,
          numbers.map((number) => view.exposedColumns?.get(table)?.get(number)?.[0]),
        ),
      );
  });
  return new Map([...found].filter(([, { isDomain, relations: shown }]) => isDomain || shown.length > 0));
}

/** Groups the views by the tables behind them. */
function* groupViews(
  relations: ReadonlyMap<string, CatalogRelation>,
): Slices<ReadonlyMap<string, readonly CatalogRelation[]>> {
  const views = new Map<string, CatalogRelation[]>();
  yield* visitInSlices(relations.values(), (relation) => {
    for (const table of relation.exposedColumns?.keys() ?? []) getOrInsert(views, table, () => []).push(relation);
  });
  return views;
}

function describe(
  { relation, columnNames }: CatalogRelation,
  numbers: readonly (number | undefined)[],
): ConstrainedRelation {
  const columns = numbers.flatMap((number) => (number === undefined ? [] : (columnNames[number] ?? [])));
  return { name: relation.name, isView: isView(relation), columns };
}

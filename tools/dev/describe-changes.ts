// Describes how the API of `rowhouse dev` has changed with the schema: `todos: + note, due → due_on`.
import type { BySchema, Column, Relation, Routine, SchemaCache } from '../../src/catalog/schema-cache.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';

/** More lines say little, for example after a database has been filled. */
const MAX_LINES = 20;

/** @returns one line for each relation and function that changed, at most 20 and then their number */
export function describeChanges(before: SchemaCache, now: SchemaCache): readonly string[] {
  const names = nameIn([before, now]);
  const lines = [
    ...comparePairs(pairUp(before.relations, now.relations), names, compareRelations),
    ...comparePairs(
      pairUp(before.routines, now.routines),
      (schema, name) => `${names(schema, name)}()`,
      compareRoutines,
    ),
  ].map(escapeLine);
  const further = lines.length - MAX_LINES;
  return further > 0 ? [...lines.slice(0, MAX_LINES), `and ${further} more`] : lines;
}

type Naming = (schema: string, name: string) => string;

/** Names the schema only if there are several. */
function nameIn(caches: readonly SchemaCache[]): Naming {
  const schemas = new Set(caches.flatMap(({ relations, routines }) => [...relations.keys(), ...routines.keys()]));
  return (schema, name) => (schemas.size > 1 ? `${schema}.${name}` : name);
}

interface Pair<T> {
  readonly schema: string;
  readonly name: string;
  readonly before: T | undefined;
  readonly now: T | undefined;
}

function pairUp<T>(before: BySchema<T>, now: BySchema<T>): readonly Pair<T>[] {
  const schemas = [...new Set([...before.keys(), ...now.keys()])];
  return schemas.flatMap((schema) => {
    const names = [...new Set([...(before.get(schema)?.keys() ?? []), ...(now.get(schema)?.keys() ?? [])])];
    return names.map((name) => ({
      schema,
      name,
      before: before.get(schema)?.get(name),
      now: now.get(schema)?.get(name),
    }));
  });
}

function comparePairs<T>(
  pairs: readonly Pair<T>[],
  naming: Naming,
  compare: (before: T, now: T) => readonly string[],
): readonly string[] {
  return pairs.flatMap(({ schema, name, before, now }) => {
    const shown = naming(schema, name);
    if (before === undefined) return [`+ ${shown}`];
    if (now === undefined) return [`- ${shown}`];
    const changes = compare(before, now);
    return changes.length === 0 ? [] : [`${shown}: ${changes.join(', ')}`];
  });
}

function compareRelations(before: Relation, now: Relation): readonly string[] {
  const removed = [...before.columns.values()].filter(({ name }) => !now.columns.has(name));
  const added = [...now.columns.values()].filter(({ name }) => !before.columns.has(name));
  const renamed = removed.flatMap((old) => {
    const column = added.find((one) => isRenamed(old, one, before, now));
    return column === undefined ? [] : [{ old, column }];
  });
  const isOther = (column: Column): boolean => !renamed.some((pair) => pair.old === column || pair.column === column);
  return [
    ...added.filter(isOther).map(({ name }) => `+ ${name}`),
    ...removed.filter(isOther).map(({ name }) => `- ${name}`),
    ...renamed.map(({ old, column }) => `${old.name} → ${column.name}`),
    ...[...now.columns.values()].flatMap((column) => compareColumns(before.columns.get(column.name), column)),
  ];
}

/** A renamed column keeps its place and its type. */
function isRenamed(old: Column, column: Column, before: Relation, now: Relation): boolean {
  if (old.nominalType !== column.nominalType) return false;
  const kept = new Set([...before.columns.keys()].filter((name) => now.columns.has(name)));
  const placeIn = ({ columns }: Relation, name: string): number => {
    const names = [...columns.keys()];
    return names.slice(0, names.indexOf(name)).filter((each) => kept.has(each)).length;
  };
  return placeIn(before, old.name) === placeIn(now, column.name);
}

function compareColumns(before: Column | undefined, { name, nominalType, isNullable }: Column): readonly string[] {
  if (before === undefined) return [];
  const type = before.nominalType === nominalType ? [] : [`${name} ${before.nominalType} → ${nominalType}`];
  const nulls = before.isNullable === isNullable ? [] : [`${name} ${isNullable ? 'may' : 'must not'} be null`];
  return [...type, ...nulls];
}

/** Compares parameters, because overloads have no names of their own. */
function compareRoutines(before: readonly Routine[], now: readonly Routine[]): readonly string[] {
  const [old, current] = [before, now].map((overloads) =>
    overloads.map(({ parameters }) => parameters.map(({ name, type }) => `${name} ${type}`.trim()).join(', ')),
  );
  return old?.join() === current?.join() ? [] : [`(${old?.join(') (')}) → (${current?.join(') (')})`];
}

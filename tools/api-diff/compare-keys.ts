// Compares what constrains the rows of a route: its key, conflict targets and constraints.
import type { Relation } from '../../src/catalog/schema-cache.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import { type Api, type Constraint, factsOf } from './api.ts';
import type { Change } from './change.ts';
import { report } from './compare-columns.ts';
import { impliesConstraint } from './implied-constraints.ts';
import { checksOf } from './compare-types.ts';
import { renameIn } from './rename-in.ts';
import { commandersOf, newNameOf, reachersOf, type RelationPair, type Sides } from './sides.ts';

export function compareKeys(sides: Sides, pair: RelationPair): readonly Change[] {
  const before = pair.old.primaryKey.map((name) => newNameOf(pair, name));
  const isKeyChanged = before.length > 0 && keyOf(before) !== keyOf(pair.new.primaryKey);
  const message = `the key changes from ${list(pair.old.primaryKey)} to ${list(pair.new.primaryKey)}`;
  const changed = isKeyChanged
    ? report('key-changed', pair, { roles: reachersOf(sides, pair), message, uses: { kind: 'key' } })
    : [];
  return [...changed, ...compareConflictTargets(sides, pair), ...compareConstraints(sides, pair)];
}

/** The order of the columns does not matter. */
function keyOf(columns: readonly string[]): string {
  return JSON.stringify(columns.toSorted(compareCodePoints));
}

function list(columns: readonly string[]): string {
  return columns.length === 0 ? 'none' : `(${columns.join(', ')})`;
}

/** What `on_conflict` can name: the columns of a unique index, or the name of one with a condition or an expression. */
interface ConflictTarget {
  readonly key: string;
  readonly columns: readonly string[];
  readonly text: string;
}

function listTargets(api: Api, relation: Relation, rename: (name: string) => string): readonly ConflictTarget[] {
  const plain = listKeys(api, relation).map((columns) => {
    return { key: keyOf(columns.map(rename)), columns, text: columns.join(',') };
  });
  const others = relation.uniqueIndexes.filter(
    ({ keys, predicate }) => predicate !== undefined || keys.some(({ kind }) => kind === 'expression'),
  );
  return [
    ...plain,
    ...others.map(({ name, keys, predicate }) => {
      const texts = keys.map((key) => (key.kind === 'column' ? rename(key.name) : key.text));
      return { key: JSON.stringify([name, texts, predicate]), columns: [], text: `!${name}` };
    }),
  ];
}

/** Returns the columns of each key that `on_conflict` can name, also through a view. */
function listKeys(api: Api, relation: Relation): readonly (readonly string[])[] {
  return factsOf(api, relation).constraints.flatMap(({ key }) => (key === undefined ? [] : [key]));
}

/** Includes the primary key: upserts may name its columns. */
function compareConflictTargets(sides: Sides, pair: RelationPair): readonly Change[] {
  const kept = new Set(listTargets(sides.new, pair.new, (name) => name).map(({ key }) => key));
  const before = listTargets(sides.old, pair.old, (name) => newNameOf(pair, name));
  return [...new Map(before.map((target) => [target.key, target])).values()]
    .filter(({ key }) => !kept.has(key))
    .flatMap(({ columns, text }) =>
      report('conflict-target-removed', pair, {
        roles: commandersOf(sides, pair, ['i']),
        message: `on_conflict=${text} finds no unique constraint any more`,
        uses: { kind: 'conflict', target: columns.length === 0 ? [text] : columns },
      }),
    );
}

function compareConstraints(sides: Sides, pair: RelationPair): readonly Change[] {
  const roles = commandersOf(sides, pair, ['i', 'u']);
  const added = [...listAdded(sides, pair), ...listAddedChecks(sides, pair), ...listAddedOption(sides, pair)];
  return added.flatMap(({ name, definition }) =>
    report('constraint-added', pair, {
      roles,
      message: `writes must satisfy ${name}: ${definition}`,
      uses: { kind: 'commands', letters: 'iu' },
    }),
  );
}

/** A constraint of new columns alone concerns no request that was written before. */
function listAdded(sides: Sides, pair: RelationPair): readonly Constraint[] {
  const before = factsOf(sides.old, pair.old).constraints.map(({ definition }) => normalize(pair, definition));
  const known = new Set([...pair.old.columns.keys()].map((name) => newNameOf(pair, name)));
  return factsOf(sides.new, pair.new).constraints.filter(
    ({ definition, columns }) =>
      !before.some((old) => isSatisfied(old, normalize(undefined, definition))) &&
      (columns.length === 0 || columns.some((name) => known.has(name))) &&
      !isImplied(sides, pair, { definition, columns }),
  );
}

/** Whether writes that satisfied the old constraint satisfy the new one. */
function isSatisfied(before: string, after: string): boolean {
  return before === after || impliesConstraint(before, after);
}

/** Whether a smaller set of columns was unique before. */
function isImplied(
  { old }: Sides,
  pair: RelationPair,
  { definition, columns }: Pick<Constraint, 'definition' | 'columns'>,
): boolean {
  if (!definition.startsWith('UNIQUE (')) return false;
  return listKeys(old, pair.old).some((key) => key.every((name) => columns.includes(newNameOf(pair, name))));
}

/** Whether existing rows were checked does not matter to new ones. */
function normalize(pair: RelationPair | undefined, definition: string): string {
  return renameIn(definition, pair?.newNames ?? new Map()).replace(/ NOT VALID$/u, '');
}

/** Constraints of the domains of columns that exist on both sides. */
function listAddedChecks({ old, new: current }: Sides, pair: RelationPair): readonly Constraint[] {
  return [...pair.old.columns.values()].flatMap((column) => {
    const name = newNameOf(pair, column.name);
    const found = pair.new.columns.get(name);
    const before = checksOf(column.nominalType, old.types);
    const after = found === undefined ? [] : checksOf(found.nominalType, current.types);
    const added = after.filter((check) => !before.some((old) => isSatisfied(old, check)));
    return added.map((definition) => ({ name: `the type of ${name}`, definition, columns: [name], key: undefined }));
  });
}

/** The condition that a view with a check option has for the rows which are written through it. */
function listAddedOption(sides: Sides, pair: RelationPair): readonly Constraint[] {
  const before = factsOf(sides.old, pair.old).checkOption;
  const after = factsOf(sides.new, pair.new).checkOption;
  if (after === undefined) return [];
  const isSame = before !== undefined && renameIn(before.condition, pair.newNames) === after.condition;
  if (isSame && (before.isCascaded || !after.isCascaded)) return [];
  const scope = after.isCascaded ? 'CASCADED' : 'LOCAL';
  const definition = `WITH ${scope} CHECK OPTION, WHERE ${after.condition}`;
  return [{ name: 'the condition of the view', definition, columns: [], key: undefined }];
}

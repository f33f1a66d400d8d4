// Compares what constrains the rows of a route: its key, conflict targets and constraints.
import type { Relation, UniqueIndex } from '../../src/catalog/schema-cache.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import { type Constraint, factsOf } from './api.ts';
import type { Change } from './change.ts';
import { report } from './compare-columns.ts';
import { checksOf } from './compare-types.ts';
import { commandersOf, newNameOf, reachersOf, type RelationPair, type Sides } from './sides.ts';

export function compareKeys(sides: Sides, pair: RelationPair): readonly Change[] {
  const before = pair.old.primaryKey.map((name) => newNameOf(pair, name));
  const isKeyChanged = before.length > 0 && keyOf(before) !== keyOf(pair.new.primaryKey);
  const message = `the key changes from ${list(pair.old.primaryKey)} to ${list(pair.new.primaryKey)}`;
  const changed = isKeyChanged
    ? report('key-changed', pair, { roles: reachersOf(sides, pair), message, uses: { kind: 'key' } })
    : [];
  return [...changed, ...compareConflictTargets(sides, pair, isKeyChanged), ...compareConstraints(sides, pair)];
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

function listTargets({ uniqueIndexes }: Relation, rename: (name: string) => string): readonly ConflictTarget[] {
  return uniqueIndexes.map((index) => {
    const plain = plainColumns(index);
    if (plain !== undefined) return { key: keyOf(plain.map(rename)), columns: plain, text: plain.join(',') };
    const keys = index.keys.map((key) => (key.kind === 'column' ? rename(key.name) : key.text));
    return { key: JSON.stringify([index.name, keys, index.predicate]), columns: [], text: `!${index.name}` };
  });
}

/** Returns the columns of an index without expressions and condition. */
function plainColumns({ keys, predicate }: UniqueIndex): readonly string[] | undefined {
  if (predicate !== undefined) return undefined;
  const names = keys.flatMap((key) => (key.kind === 'column' ? [key.name] : []));
  return names.length === keys.length ? names : undefined;
}

function compareConflictTargets(sides: Sides, pair: RelationPair, isKeyChanged: boolean): readonly Change[] {
  const kept = new Set(listTargets(pair.new, (name) => name).map(({ key }) => key));
  const primary = keyOf(pair.old.primaryKey.map((name) => newNameOf(pair, name)));
  const targets = new Map(listTargets(pair.old, (name) => newNameOf(pair, name)).map((target) => [target.key, target]));
  return [...targets.values()]
    .filter(({ key }) => !kept.has(key) && !(isKeyChanged && key === primary))
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
  const added = [...listAdded(sides, pair), ...listAddedChecks(sides, pair)];
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
  const before = new Set(factsOf(sides.old, pair.old).constraints.map(({ definition }) => normalize(pair, definition)));
  const known = new Set([...pair.old.columns.keys()].map((name) => newNameOf(pair, name)));
  return factsOf(sides.new, pair.new).constraints.filter(
    ({ definition, columns }) =>
      !before.has(normalize(undefined, definition)) &&
      (columns.length === 0 || columns.some((name) => known.has(name))) &&
      !isImplied(pair, definition, columns),
  );
}

/** Whether a smaller set of columns was unique before. */
function isImplied(pair: RelationPair, definition: string, columns: readonly string[]): boolean {
  if (!definition.startsWith('UNIQUE (')) return false;
  return pair.old.uniqueIndexes.some((index) =>
    plainColumns(index)?.every((name) => columns.includes(newNameOf(pair, name))),
  );
}

/** Whether existing rows were checked does not matter to new ones. */
function normalize(pair: RelationPair | undefined, definition: string): string {
  return renameIn(definition, pair?.newNames ?? new Map()).replace(/ NOT VALID$/u, '');
}

/** Replaces the names of columns in an expression printed by PostgreSQL. */
export function renameIn(text: string, newNames: ReadonlyMap<string, string>): string {
  return [...newNames].reduce((result, [before, after]) => {
    const name = before.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
    return result.replaceAll(new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, 'gu'), () => after);
  }, text);
}

/** Constraints of the domains of columns that exist on both sides. */
function listAddedChecks({ old, new: current }: Sides, pair: RelationPair): readonly Constraint[] {
  return [...pair.old.columns.values()].flatMap((column) => {
    const name = newNameOf(pair, column.name);
    const found = pair.new.columns.get(name);
    const before = checksOf(column.nominalType, old.types);
    const after = found === undefined ? [] : checksOf(found.nominalType, current.types);
    const added = after.filter((check) => !before.includes(check));
    return added.map((definition) => ({ name: `the type of ${name}`, definition, columns: [name] }));
  });
}

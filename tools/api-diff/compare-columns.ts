// Compares the columns of a route.
import type { Column, Relation } from '../../src/catalog/schema-cache.ts';
import { type Api, factsOf, type RowFunction, supports } from './api.ts';
import { type Change, type ChangeDetails, type ChangeKind, createChange, type Uses } from './change.ts';
import { compareTypes, labelsOf, printTypeChange } from './compare-types.ts';
import { commandersOf, intersect, newNameOf, type RelationPair, type Sides, usersOf, writersOf } from './sides.ts';

/** A column of a table, or a computed one. */
interface ApiColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** An insert must give it. */
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
}

export function compareColumns(sides: Sides, pair: RelationPair): readonly Change[] {
  const [before, after] = [listColumns(sides.old, pair.old), listColumns(sides.new, pair.new)];
  const kept = new Set(before.map(({ name }) => newNameOf(pair, name)));
  const byName = new Map(after.map((column) => [column.name, column]));
  return [
    ...before.flatMap((column) => {
      const found = byName.get(newNameOf(pair, column.name));
      return found === undefined ? describeRemoved(sides, pair, column) : compareColumn(sides, pair, [column, found]);
    }),
    ...after.filter(({ name }) => !kept.has(name)).flatMap((column) => describeAdded(sides, pair, column)),
  ];
}

function listColumns(api: Api, relation: Relation): readonly ApiColumn[] {
  const { computedByView, requiredByTable, rowFunctions } = factsOf(api, relation);
  const stored = [...relation.columns.values()].map((column) => ({
    name: column.name,
    type: column.nominalType,
    isNullable: column.isNullable,
    isRequired: isRequired(column, relation, requiredByTable?.has(column.name) ?? false),
    isReadOnly: column.isGenerated || computedByView.has(column.name),
  }));
  const computed = [...rowFunctions].filter(([name]) => !relation.columns.has(name));
  const describe = ([name, { type }]: readonly [string, RowFunction]): ApiColumn => {
    return { name, type, isNullable: true, isRequired: false, isReadOnly: true };
  };
  return [...stored, ...computed.map(describe)];
}

function isRequired(
  { isNullable, defaultExpression, isGenerated }: Column,
  relation: Relation,
  isRequiredByTable: boolean,
): boolean {
  const isNeeded = isRequiredByTable || (!isNullable && !isGenerated);
  return supports(relation, 'i') && isNeeded && defaultExpression === undefined;
}

function describeRemoved(sides: Sides, pair: RelationPair, { name }: ApiColumn): readonly Change[] {
  return report('column-removed', pair, {
    name,
    roles: usersOf(sides.old, pair.old, name),
    message: `column ${name} is gone`,
    uses: { kind: 'column', letters: 'siu' },
  });
}

function describeAdded(sides: Sides, pair: RelationPair, column: ApiColumn): readonly Change[] {
  const { name, type } = column;
  return [
    ...report('column-added', pair, {
      name,
      roles: usersOf(sides.new, pair.new, name),
      message: `column ${name} of type ${type} is new`,
      uses: { kind: 'nothing' },
    }),
    ...(column.isRequired ? describeRequired(sides, pair, name) : []),
  ];
}

function describeRequired(sides: Sides, pair: RelationPair, name: string): readonly Change[] {
  if (factsOf(sides.old, pair.old).requiredByTable === undefined) return [];
  return report('column-became-required', pair, {
    name,
    roles: commandersOf(sides, pair, ['i']),
    message: `an insert must give ${name}: it is NOT NULL and has no default`,
    uses: { kind: 'missing', name },
  });
}

/** @param both the same column before and after, perhaps renamed */
function compareColumn(sides: Sides, pair: RelationPair, both: readonly [ApiColumn, ApiColumn]): readonly Change[] {
  const [before, after] = both;
  const { name } = before;
  const used = usersOf(sides.old, pair.old, name);
  const roles = intersect(used, usersOf(sides.new, pair.new, after.name));
  const found: Found = (kind, message, uses) => report(kind, pair, { name, roles, message, uses });
  const changes: Change[] = [];
  if (after.name !== name) {
    const message = `column ${name} is called ${after.name} now`;
    changes.push(...report('column-renamed', pair, { name, roles: used, message, uses: column('siu') }));
  }
  const types = compareTypes(before.type, after.type, sides);
  if (types !== 'same') {
    const message = `the type of ${name} changes from ${printTypeChange(before.type, after.type, sides)}`;
    const level = types === 'wider' ? ({ level: 'risky' } as const) : {};
    changes.push(...report('column-type-changed', pair, { name, roles, message, uses: column('siu'), ...level }));
  }
  changes.push(...compareLabels(sides, both, found));
  if (before.isNullable && !after.isNullable)
    changes.push(...found('column-became-not-null', `${name} cannot be null any more`, column('iu')));
  if (!before.isNullable && after.isNullable && !isView(pair.new))
    changes.push(...found('column-became-nullable', `${name} can be null now`, column('s')));
  if (!before.isRequired && after.isRequired) changes.push(...describeRequired(sides, pair, name));
  if (before.isRequired && !after.isRequired && supports(pair.new, 'i'))
    changes.push(...describeOptional(sides, pair, name));
  changes.push(...describeReadOnly(sides, pair, both));
  return changes;
}

function column(letters: string): Uses {
  return { kind: 'column', letters };
}

/** PostgreSQL knows nothing about nulls in the columns of views. */
function isView({ kind }: Relation): boolean {
  return kind === 'view' || kind === 'materializedView';
}

function describeOptional(sides: Sides, pair: RelationPair, name: string): readonly Change[] {
  const message = `an insert may omit ${name}`;
  const roles = commandersOf(sides, pair, ['i']);
  return report('column-became-optional', pair, { name, roles, message, uses: { kind: 'nothing' } });
}

/** A route that accepts no writes at all is reported as such instead. */
function describeReadOnly(
  sides: Sides,
  pair: RelationPair,
  [before, after]: readonly [ApiColumn, ApiColumn],
): readonly Change[] {
  const isWritable = supports(pair.new, 'i') || supports(pair.new, 'u');
  if (before.isReadOnly || !after.isReadOnly || !isWritable) return [];
  return report('column-became-read-only', pair, {
    name: before.name,
    roles: writersOf(sides.old, pair.old, before.name),
    message: `${before.name} accepts no values any more`,
    uses: column('iu'),
  });
}

type Found = (kind: ChangeKind, message: string, uses: Uses) => readonly Change[];

function compareLabels(
  sides: Sides,
  [before, after]: readonly [ApiColumn, ApiColumn],
  found: Found,
): readonly Change[] {
  const { removed, added } = diffLabels(labelsOf(before.type, sides.old), labelsOf(after.type, sides.new));
  const changes: Change[] = [];
  if (removed.length > 0)
    changes.push(
      ...found('enum-value-removed', `${before.name} cannot be ${listValues(removed)} any more`, {
        kind: 'values',
        values: removed,
      }),
    );
  if (added.length > 0)
    changes.push(...found('enum-value-added', `${before.name} can be ${listValues(added)}`, column('s')));
  return changes;
}

/** Returns nothing if one of the types is no enum. */
export function diffLabels(
  before: readonly string[],
  after: readonly string[],
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  if (before.length === 0 || after.length === 0) return { removed: [], added: [] };
  return {
    removed: before.filter((label) => !after.includes(label)),
    added: after.filter((label) => !before.includes(label)),
  };
}

export function listValues(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ');
}

/** Reports a change of the route unless it concerns no role. */
export function report(
  kind: ChangeKind,
  { schema, path }: Pick<RelationPair, 'schema' | 'path'>,
  details: Omit<ChangeDetails, 'schema' | 'path'>,
): readonly Change[] {
  return details.roles.length === 0 ? [] : [createChange(kind, { ...details, schema, path })];
}

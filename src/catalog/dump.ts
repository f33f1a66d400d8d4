// Renders the schema cache as one line of JSON for debugging, used by `/schema_cache` and `--dump-schema`
// (`operating.md` §5.13).
import type { QualifiedName } from '../contract/identifiers.ts';
import { assertNever } from '../contract/result.ts';
import { appendTo } from './maps.ts';
import { FORMATS } from '../media/formats.ts';
import { listBuiltInMediaTypes } from './media-handlers.ts';
import { isView } from './relations.ts';
import type {
  BySchema,
  Column,
  ForeignKeyRelationship,
  MediaHandler,
  Relation,
  Relationship,
  Routine,
  SchemaCache,
} from './schema-cache.ts';

export function renderSchemaCacheDump(cache: SchemaCache): string {
  return JSON.stringify({
    dbTables: listNested(cache.relations).map((relation) => [dumpName(relation.name), dumpRelation(relation)]),
    dbRelationships: listNested(cache.relationships).flatMap(dumpRelationships),
    dbRoutines: listNested(cache.routines).flatMap(dumpOverloads),
    dbRepresentations: listNested(cache.representations).map(({ source, target, routine }) => [
      [source, target],
      { drSourceType: source, drTargetType: target, drFunction: dumpName(routine) },
    ]),
    dbMediaHandlers: dumpMediaHandlers(cache.mediaHandlers),
  });
}

function listNested<T>(outer: BySchema<T>): readonly T[] {
  return [...outer.values()].flatMap((inner) => Array.from(inner.values()));
}

function dumpRelation(relation: Relation): object {
  return {
    tableSchema: relation.name.schema,
    tableName: relation.name.name,
    tableDescription: relation.comment ?? null,
    tableIsView: isView(relation),
    tableInsertable: relation.isInsertable,
    tableUpdatable: relation.isUpdatable,
    tableDeletable: relation.isDeletable,
    tablePKCols: relation.primaryKey,
    tableColumns: Object.fromEntries([...relation.columns].map(([name, column]) => [name, dumpColumn(column)])),
  };
}

function dumpColumn(column: Column): object {
  return {
    colName: column.name,
    colDescription: column.comment ?? null,
    colNullable: column.isNullable,
    colType: column.type,
    colNominalType: column.nominalType,
    colMaxLen: column.maxLength ?? null,
    colDefault: column.defaultExpression ?? null,
    colEnum: column.enumLabels,
  };
}

const VOLATILITY: Readonly<Record<Routine['volatility'], string>> = {
  volatile: 'Volatile',
  stable: 'Stable',
  immutable: 'Immutable',
};

function dumpOverloads(overloads: readonly Routine[]): readonly unknown[] {
  const [first] = overloads;
  return first === undefined ? [] : [[dumpName(first.name), overloads.map(dumpRoutine)]];
}

function dumpRoutine(routine: Routine): object {
  return {
    pdSchema: routine.name.schema,
    pdName: routine.name.name,
    pdDescription: routine.comment ?? null,
    pdParams: routine.parameters.map((parameter) => ({
      ppName: parameter.name,
      ppType: parameter.type,
      ppTypeMaxLength: parameter.castType,
      ppReq: parameter.isRequired,
      ppVar: parameter.isVariadic,
    })),
    pdReturnType: routine.result,
    pdVolatility: VOLATILITY[routine.volatility],
    pdHasVariadic: routine.parameters.some(({ isVariadic }) => isVariadic),
    pdIsoLvl: routine.isolation ?? null,
    pdFuncSettings: routine.settings,
  };
}

function dumpMediaHandlers(handlers: readonly MediaHandler[]): readonly unknown[] {
  const builtIn = listBuiltInMediaTypes(handlers).map((mediaType) => [
    ['any', mediaType],
    ['builtIn', mediaType === FORMATS.any.mediaType ? FORMATS.json.mediaType : mediaType],
  ]);
  const custom = handlers.map(({ element, mediaType, routine }) => [
    [element === undefined ? 'any' : dumpName(element), mediaType],
    [dumpName(routine), mediaType === FORMATS.any.mediaType ? FORMATS.octets.mediaType : mediaType],
  ]);
  return [...builtIn, ...custom];
}

const CARDINALITY: Readonly<Record<ForeignKeyRelationship['kind'], string>> = {
  manyToOne: 'M2O',
  oneToMany: 'O2M',
  oneToOne: 'O2O',
};

/** Renders the relationships of one origin as entries of the dump's `dbRelationships`, one per target schema. */
function dumpRelationships(candidates: readonly Relationship[]): readonly unknown[] {
  const bySchema = new Map<string, object[]>();
  for (const relationship of candidates) {
    appendTo(bySchema, relationship.target.schema, dumpRelationship(relationship));
  }
  const [first] = candidates;
  if (first === undefined) return [];
  return [...bySchema].map(([schema, entries]) => [[dumpName(first.origin), schema], entries]);
}

function dumpRelationship(relationship: Relationship): object {
  const ends = {
    relTable: dumpName(relationship.origin),
    relForeignTable: dumpName(relationship.target),
    relIsSelf: relationship.isSelf,
    relTableIsView: relationship.originIsView,
    relFTableIsView: relationship.targetIsView,
  };
  if (relationship.kind === 'computed') {
    const { routine, isToOne } = relationship;
    return { tag: 'ComputedRelationship', relFunction: dumpName(routine), ...ends, relToOne: isToOne };
  }
  return { tag: 'Relationship', ...ends, relCardinality: dumpCardinality(relationship) };
}

function dumpCardinality(relationship: Exclude<Relationship, { readonly kind: 'computed' }>): object {
  switch (relationship.kind) {
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return {
        tag: CARDINALITY[relationship.kind],
        ...(relationship.kind === 'oneToOne' && { isParent: relationship.isParent }),
        relCons: relationship.constraint,
        relColumns: relationship.columns,
      };
    case 'manyToMany':
      return {
        tag: 'M2M',
        junTable: dumpName(relationship.junction),
        junConstraint1: relationship.originConstraint,
        junConstraint2: relationship.targetConstraint,
        junColsSource: relationship.originColumns,
        junColsTarget: relationship.targetColumns,
      };
    default:
      return assertNever(relationship);
  }
}

function dumpName({ schema, name }: QualifiedName): { readonly qiName: string; readonly qiSchema: string } {
  return { qiName: name, qiSchema: schema };
}

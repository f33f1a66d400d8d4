// Builds the document that the explorer reads, limited to what a role may see and do (`contract/schema-document.ts`).
import { listExtensions } from '../../contract/extensions.ts';
import { findRelation, type Routine, type SchemaCache } from '../../catalog/schema-cache.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { Product } from '../../contract/product.ts';
import type { DescribedFunction, DescribedType, SchemaDocument } from '../../contract/schema-document.ts';
import { describeType } from './describe-type.ts';
import { LazyList, LazyObject } from '../../openapi/document/json-document.ts';
import { type DocumentInput, listVisibleNames } from './document-input.ts';
import { listRelations } from './relations.ts';
import type { RoleDetails } from './role-details.ts';

export interface SchemaDocumentSources {
  readonly cache: SchemaCache;
  /** The schema described. */
  readonly schema: string;
  readonly details: RoleDetails;
  readonly config: Pick<
    AppConfig,
    'dbSchemas' | 'dbAggregatesEnabled' | 'dbPlanEnabled' | 'dbTxEnd' | 'dbMaxRows' | 'extensions'
  >;
  readonly dialect: Dialect;
  readonly product: Product;
  readonly explorer?: { readonly hasConsole?: true | undefined } | undefined;
  /** Whether reads can be watched. */
  readonly isWatchable: boolean;
}

/** Lists are created while they are written: pass the document to `renderJsonInSlices` only once. */
export function buildSchemaDocument(sources: SchemaDocumentSources): LazyObject {
  const { cache, schema, details, config, dialect, product, explorer, isWatchable } = sources;
  const extensions = listExtensions(config.extensions);
  const head: Omit<SchemaDocument, 'relations' | 'functions'> = {
    product: { name: product.name, version: product.version },
    dialect: dialect.name,
    mediaVendor: dialect.mediaVendor,
    role: details.role,
    schema,
    schemas: config.dbSchemas,
    comment: details.schemaComment,
    features: {
      aggregates: config.dbAggregatesEnabled,
      plans: config.dbPlanEnabled,
      rollback: config.dbTxEnd.endsWith('-allow-override'),
      maxRows: config.dbMaxRows,
      extensions: extensions.length === 0 ? undefined : extensions,
      live: isWatchable ? true : undefined,
      console: explorer?.hasConsole,
    },
  };
  const input = { cache, schema, details, visible: listVisibleNames(schema, details) };
  return new LazyObject([
    ...Object.entries(head),
    ['relations', new LazyList(listRelations(input))],
    ['functions', new LazyList(listFunctions(input))],
  ]);
}

type Result = DescribedFunction['result'];

/** Describes the functions that the role may execute. */
function* listFunctions(input: DocumentInput): Generator<DescribedFunction> {
  const { routines, types, parameterDefaults } = input.details;
  // These functions appear as columns or relationships.
  const columns = [...input.details.rowFunctions.values()].flat().filter(({ isSet }) => !isSet);
  const relationships = [...(input.cache.relationships.get(input.schema)?.values() ?? [])].flat();
  const computed = relationships.flatMap((one) => (one.kind === 'computed' ? [one.oid] : []));
  const rowFunctionIds = new Set([...columns.map(({ oid }) => oid), ...computed]);
  for (const routine of [...routines.values()].flat()) {
    if (rowFunctionIds.has(routine.oid)) continue;
    const defaults = parameterDefaults.get(routine.oid) ?? [];
    yield {
      name: routine.name.name,
      comment: routine.comment,
      isReadOnly: routine.volatility !== 'volatile',
      parameters: routine.parameters.map(({ name, type, isRequired, isVariadic }, index) => ({
        name,
        type: describeType(type, types),
        isRequired,
        isVariadic,
        default: defaults[index],
      })),
      result: describeResult(routine, input),
    };
  }
}

function describeResult({ result }: Routine, input: DocumentInput): Result {
  if (result.kind === 'void') return { kind: 'void', isSet: false };
  const { isSet } = result;
  if (result.kind === 'scalar') {
    const type = describeType(result.type, input.details.types);
    return { kind: result.isRecord ? 'row' : 'scalar', isSet, type };
  }
  const type: DescribedType = { name: result.type, category: 'composite', isArray: false };
  const { rowType, outColumns } = result;
  if (rowType === undefined) return { kind: 'row', isSet, columns: describeColumns(outColumns, input) };
  const isListed = rowType.schema === input.schema && input.details.relations.has(rowType.name);
  if (isListed && findRelation(input.cache, rowType) !== undefined) {
    return { kind: 'row', isSet, type, relation: rowType.name };
  }
  return { kind: 'row', isSet, type, columns: describeColumns(fieldsOf(rowType, result.type, input), input) };
}

function fieldsOf(
  rowType: QualifiedName,
  shownName: string,
  { cache, details }: DocumentInput,
): readonly (readonly [name: string, type: string])[] {
  const relation = findRelation(cache, rowType);
  if (relation === undefined) return details.types.get(shownName)?.fields ?? [];
  return [...relation.columns.values()].map(({ name, nominalType }) => [name, nominalType]);
}

function describeColumns(
  columns: readonly (readonly [name: string, type: string])[],
  { details }: DocumentInput,
): NonNullable<Result['columns']> {
  return columns.map(([name, type]) => ({ name, type: describeType(type, details.types) }));
}

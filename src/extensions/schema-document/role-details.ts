// Decodes the result of the schema document's statement (`role-details.sql.ts`): the privileges of the role, and the
// types, functions and computed columns that it may use.
import { decodeRoutines } from '../../catalog/routines.ts';
import { appendTo } from '../../catalog/maps.ts';
import type { Routine } from '../../catalog/schema-cache.ts';
import { flatMapInSlices, type Slices, visitInSlices } from '../../util/slices.ts';
import { readList, readMember, readRow, readTuples } from '../../openapi/document/read-json.ts';

/** Letters of the allowed commands: `s`, `i`, `u`, `d`. */
export interface RelationPrivileges {
  readonly relation: string;
  /** By column; undefined if all columns have the privileges of the relation. */
  readonly columns: ReadonlyMap<string, string> | undefined;
}

/** A type that is not built into PostgreSQL. */
export interface CustomType {
  /** `pg_type.typtype`, and `typcategory` below. */
  readonly kind: string;
  readonly category: string;
  /** The name relative to the search path. */
  readonly shownName: string;
  /** Base type of a domain. */
  readonly base: string | undefined;
  readonly labels: readonly string[] | undefined;
  readonly fields: readonly (readonly [name: string, type: string])[];
}

export interface RowFunction {
  readonly name: string;
  readonly type: string;
  readonly comment: string | undefined;
  readonly isSet: boolean;
  readonly oid: string;
}

export interface RoleDetails {
  readonly role: string;
  readonly schemaComment: string | undefined;
  readonly relations: ReadonlyMap<string, RelationPrivileges>;
  /** By relation. */
  readonly rowFunctions: ReadonlyMap<string, readonly RowFunction[]>;
  /** By both qualified name and name relative to the search path. */
  readonly types: ReadonlyMap<string, CustomType>;
  /** Overloads by name. */
  readonly routines: ReadonlyMap<string, readonly Routine[]>;
  /** SQL texts by oid of the function, in the order of its parameters. */
  readonly parameterDefaults: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** @throws if the body does not have the form that the statement returns */
export function* decodeDetails(body: Uint8Array | undefined, schema: string): Slices<RoleDetails> {
  const found: unknown = JSON.parse(new TextDecoder().decode(body));
  const relations = new Map<string, RelationPrivileges>();
  yield* visitInSlices(readTuples(found, 'relations'), ([name, letters, columns]) => {
    relations.set(String(name), { relation: String(letters), columns: readColumns(columns) });
  });
  const rowFunctions = new Map<string, RowFunction[]>();
  yield* visitInSlices(readTuples(found, 'rowFunctions'), (row) => {
    const [relation, name, type, comment, isSet, oid] = row;
    const rowFunction = { name: String(name), type: String(type), comment: readText(comment) };
    appendTo(rowFunctions, String(relation), { ...rowFunction, isSet: isSet === true, oid: String(oid) });
  });
  const types = new Map<string, CustomType>();
  yield* visitInSlices(readTuples(found, 'types'), (row) => {
    const type = readType(row);
    types.set(String(row[0]), type).set(type.shownName, type);
  });
  const rows = yield* flatMapInSlices(readList(found, 'routines'), (value) => [readRow(value)]);
  const routines = yield* decodeRoutines(rows);
  const parameterDefaults = new Map<string, readonly (string | undefined)[]>();
  yield* visitInSlices(readTuples(found, 'parameterDefaults'), ([oid, texts]) => {
    if (Array.isArray(texts)) parameterDefaults.set(String(oid), texts.map(readText));
  });
  return {
    role: String(readMember(found, 'role')),
    schemaComment: readText(readMember(found, 'schemaComment')),
    relations,
    rowFunctions,
    types,
    routines: routines.get(schema) ?? new Map<string, readonly Routine[]>(),
    parameterDefaults,
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readColumns(value: unknown): ReadonlyMap<string, string> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value).map(([name, letters]) => [name, String(letters)]));
}

function readType([, shownName, kind, category, base, labels, fields]: readonly unknown[]): CustomType {
  const pairs: readonly unknown[] = Array.isArray(fields) ? fields : [];
  return {
    kind: String(kind),
    category: String(category),
    shownName: String(shownName),
    base: readText(base),
    labels: Array.isArray(labels) ? labels.map(String) : undefined,
    fields: pairs.map((pair) => {
      const [name, type]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      return [String(name), String(type)];
    }),
  };
}

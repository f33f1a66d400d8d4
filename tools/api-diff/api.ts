// One of the two APIs that `rowhouse diff --api` compares: the schema cache, what each web role may do, and the facts
// about tables and types that the cache of the server does not need (`project.md` §3 item 5).
import type { BySchema, Relation, Routine, SchemaCache } from '../../src/catalog/schema-cache.ts';
import { commandsOf } from '../../src/openapi/document/commands.ts';
import type { RelationPrivileges } from '../../src/extensions/schema-document/role-details.ts';
import type { VisibleNames } from '../../src/catalog/visible-names.ts';

export interface Api {
  /** Exposed schemas that exist, the default one first. */
  readonly schemas: readonly string[];
  readonly cache: SchemaCache;
  /** By role. Contains only `ANYONE` if there is no web role, so that privileges do not matter. */
  readonly roles: ReadonlyMap<string, RoleAccess>;
  /** User-defined types by qualified name, as in `Column.nominalType`. */
  readonly types: ReadonlyMap<string, TypeFacts>;
  readonly tables: BySchema<TableFacts>;
}

/** Stands for every role where a project names no web role. */
export const ANYONE = '';

export interface RoleAccess {
  readonly relations: BySchema<RelationPrivileges>;
  /** The same privileges, as the lookups of relationships and functions take them. */
  readonly visible: VisibleNames;
}

export interface TypeFacts {
  readonly kind: 'enum' | 'domain' | 'composite' | 'other';
  /** Base type of a domain, with modifiers. */
  readonly base: string | undefined;
  readonly labels: readonly string[];
  readonly fields: readonly (readonly [name: string, type: string])[];
  /** Definitions of the constraints of a domain. */
  readonly checks: readonly string[];
}

export interface Policy {
  readonly name: string;
  /** `*` is every command; otherwise `r`, `a`, `w` or `d`, as in pg_policy. */
  readonly command: string;
  readonly isPermissive: boolean;
  /** Web roles that it applies to, also through membership. */
  readonly roles: readonly string[];
  readonly using: string | undefined;
  readonly check: string | undefined;
}

/** A check, foreign key, exclusion or unique index. */
export interface Constraint {
  readonly name: string;
  /** Without the name: `CHECK ((total > 0))`. */
  readonly definition: string;
  readonly columns: readonly string[];
  /** Columns that `on_conflict` can name to find it. */
  readonly key: readonly string[] | undefined;
}

/** `WITH CHECK OPTION` of a view. */
export interface CheckOption {
  /** Whether the conditions of the views below count too. */
  readonly isCascaded: boolean;
  readonly condition: string;
}

export interface RowFunction {
  readonly oid: string;
  /** Of the result. */
  readonly type: string;
}

export interface TableFacts {
  /** Web roles that row-level security applies to, here or in a table that a view reads in their name. */
  readonly restricted: ReadonlySet<string>;
  readonly policies: readonly Policy[];
  /** Those of a view are the constraints of its table that concern the columns of the view. */
  readonly constraints: readonly Constraint[];
  readonly checkOption: CheckOption | undefined;
  /** Columns of an updatable view that accept no values. */
  readonly computedByView: ReadonlySet<string>;
  /** Columns of a view that its table requires; undefined if the view lacks one of them, so that no insert succeeds. */
  readonly requiredByTable: ReadonlySet<string> | undefined;
  /** Functions of one row, which compute columns. */
  readonly rowFunctions: ReadonlyMap<string, RowFunction>;
}

const NO_FACTS: TableFacts = {
  restricted: new Set(),
  policies: [],
  constraints: [],
  checkOption: undefined,
  computedByView: new Set(),
  requiredByTable: new Set(),
  rowFunctions: new Map(),
};

export type Letter = 's' | 'i' | 'u' | 'd';

export const PRIVILEGES: Readonly<Record<Letter, string>> = { s: 'select', i: 'insert', u: 'update', d: 'delete' };
export const LETTERS: readonly Letter[] = ['s', 'i', 'u', 'd'];

export function factsOf(api: Api, { name }: Pick<Relation, 'name'>): TableFacts {
  return api.tables.get(name.schema)?.get(name.name) ?? NO_FACTS;
}

/** Returns the web roles that fulfil the condition, in the order of `api.roles`. */
export function rolesThat(api: Api, isMet: (access: RoleAccess, role: string) => boolean): readonly string[] {
  return [...api.roles].filter(([role, access]) => isMet(access, role)).map(([role]) => role);
}

/** Returns the letters of the commands that a role may use on a relation, whether or not the relation supports them. */
export function lettersOf(access: RoleAccess, { name }: Pick<Relation, 'name'>): string {
  return access.relations.get(name.schema)?.get(name.name)?.relation ?? '';
}

/** Returns the letters of the commands in which a role may use a column; of a computed column, only `s`. */
export function columnLettersOf(access: RoleAccess, relation: Relation, column: string): string {
  const privileges = access.relations.get(relation.name.schema)?.get(relation.name.name);
  if (privileges === undefined) return '';
  const { relation: letters, columns } = privileges;
  if (!relation.columns.has(column)) {
    const isWholeRow = columns === undefined || [...columns.values()].every((each) => each.includes('s'));
    return letters.includes('s') && isWholeRow ? 's' : '';
  }
  return columns === undefined ? letters.replace('d', '') : (columns.get(column) ?? '');
}

export function supports(relation: Relation, letter: Letter): boolean {
  const { select, insert, update, delete: isDeletable } = commandsOf(letter, relation);
  return select || insert || update || isDeletable;
}

/** Whether a role may use a command that the relation supports. */
export function mayUse(access: RoleAccess, relation: Relation, letter: Letter): boolean {
  return supports(relation, letter) && lettersOf(access, relation).includes(letter);
}

/** Whether the relation is a route for the role. */
export function mayReach(access: RoleAccess, relation: Relation): boolean {
  return LETTERS.some((letter) => mayUse(access, relation, letter));
}

export function mayCall(access: RoleAccess, { oid }: Pick<Routine, 'oid'>): boolean {
  return access.visible.routines.has(oid);
}

// Which role may do what in a schema, and why a role sees or may change a row or not: served by `rowhouse dev` below
// `/explorer/access/` to whoever has its key, and read by the explorer. PostgreSQL builds most of it.

export interface AccessDocument {
  readonly schema: string;
  /** The role that the server logs in with. */
  readonly login: string;
  /** The roles that a token can name; the one of requests without a token comes first. */
  readonly roles: readonly AccessRole[];
  readonly relations: readonly AccessRelation[];
  readonly functions: readonly AccessFunction[];
}

export interface AccessRole {
  readonly name: string;
  /** Requests without a token run as this role. */
  readonly isAnonymous: boolean;
  /** Privileges and policies do not restrict superusers. */
  readonly isSuperuser: boolean;
  readonly bypassesRowSecurity: boolean;
  /** USAGE on the schema, without which no other privilege in it counts. */
  readonly hasUsage: boolean;
  /** Whether servers log in as the role: it is the login role of this one, or can log in and assume the role of requests without a token. */
  readonly isLogin: boolean;
}

export type RelationKind = 'table' | 'view' | 'materializedView' | 'foreignTable';

export interface AccessRelation {
  readonly name: string;
  readonly kind: RelationKind;
  readonly owner: string;
  readonly rowSecurity: 'off' | 'on' | 'forced';
  /** Whether a view reads its tables with the privileges of the role that queries it. */
  readonly isInvoker: boolean;
  readonly columns: readonly string[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** What PostgreSQL can do with no privilege at all, as with a view of several tables or a materialized view. */
  readonly impossible: readonly ('insert' | 'update' | 'delete')[];
  /** One entry for each role, in the order of `roles`. */
  readonly rights: readonly AccessRights[];
  readonly policies: readonly AccessPolicy[];
}

/** All columns, none, or only the named ones. */
export type ColumnRight = boolean | readonly string[];

export interface AccessRights {
  readonly select: ColumnRight;
  readonly insert: ColumnRight;
  readonly update: ColumnRight;
  readonly delete: boolean;
  /** The role owns the table or is a member of its owner: policies restrict it only if row security is forced. */
  readonly isOwner: boolean;
  /** Tables that limit what the role can do with a view; empty for anything else. */
  readonly limits: readonly ViewLimit[];
}

/**
 * A table that a view reads, perhaps through other views. The reader is the role itself, or the owner of the view that
 * names the table: only that view decides it, even below others.
 */
export interface ViewLimit {
  /** `api.notes`, each part quoted if necessary. */
  readonly table: string;
  readonly reader: string;
  /** Whether the reader may select from the table; otherwise each request fails. */
  readonly isReadable: boolean;
  /** What its policies restrict for the reader. */
  readonly restricted: readonly ('select' | 'insert' | 'update' | 'delete')[];
}

export type PolicyCommand = 'all' | 'select' | 'insert' | 'update' | 'delete';

export interface AccessPolicy {
  readonly name: string;
  readonly command: PolicyCommand;
  /** Otherwise restrictive. */
  readonly isPermissive: boolean;
  /** As the policy lists them; `public` stands for every role. */
  readonly roles: readonly string[];
  /** The roles of the document that the policy applies to. */
  readonly appliesTo: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

export interface AccessFunction {
  readonly name: string;
  /** Types of the arguments, as GRANT expects them: `integer, text`. */
  readonly arguments: string;
  readonly owner: string;
  /** Whether it runs with the privileges of its owner. */
  readonly isDefiner: boolean;
  /** The roles that may call it. */
  readonly roles: readonly string[];
}

/** Returns why row security does not restrict the role, or `none` if it does. */
export function freedomOf(
  { kind, rowSecurity }: Pick<AccessRelation, 'kind' | 'rowSecurity'>,
  role: AccessRole,
  { isOwner }: AccessRights,
): 'view' | 'off' | 'superuser' | 'bypass' | 'owner' | 'none' {
  if (kind === 'view') return 'view';
  if (rowSecurity === 'off') return 'off';
  if (role.isSuperuser) return 'superuser';
  if (role.bypassesRowSecurity) return 'bypass';
  return isOwner && rowSecurity === 'on' ? 'owner' : 'none';
}

/** What a role may want to do with a row. One that is inserted does not exist yet. */
export type RowAction = 'select' | 'insert' | 'update' | 'delete';

export const ROW_ACTIONS: readonly RowAction[] = ['select', 'insert', 'update', 'delete'];

/** The question why a role sees a row or not, or why it cannot insert or change it. */
export interface RowQuestion {
  readonly schema: string;
  readonly relation: string;
  /** Values by column, as text; they should identify one row. Empty for a row that is inserted. */
  readonly key: Readonly<Record<string, string>>;
  /** The values by column of a row that is inserted, as in the body of a request; otherwise empty. */
  readonly proposed: Readonly<Record<string, unknown>>;
  readonly role: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly action: RowAction;
}

export interface RowExplanation {
  readonly action: RowAction;
  readonly role: AccessRole;
  /** Without columns that `rights` names. */
  readonly relation: Omit<AccessRelation, 'rights' | 'policies' | 'columns'>;
  readonly rights: AccessRights;
  /** Columns that the role may not read. */
  readonly hiddenColumns: readonly string[];
  /** The role that looks for the row and prepares the policies. `isLogin`: the login role of the server. */
  readonly inspector: { readonly name: string; readonly isLogin: boolean };
  readonly row: RowLookup;
  /**
   * The policies that apply to the role, for SELECT and for the action, since a request finds the row by its key or returns
   * it; empty if none restricts it.
   */
  readonly policies: readonly EvaluatedPolicy[];
  readonly outcome: RowOutcome;
}

/**
 * What the inspecting role finds under the key. `unseen`: no row, but policies restrict that role too, so there may be
 * one. `unreadable`: it may not read the table either. `proposed`: the row is to be inserted; `unknown` are the columns whose
 * defaults cannot be evaluated without inserting it.
 */
export type RowLookup =
  | { readonly kind: 'proposed'; readonly columns: readonly string[]; readonly unknown: readonly string[] }
  | { readonly kind: 'found' | 'missing' | 'unseen' | 'several' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface EvaluatedPolicy {
  readonly name: string;
  readonly command: PolicyCommand;
  readonly isPermissive: boolean;
  readonly roles: readonly string[];
  /** The expression that was evaluated: WITH CHECK, if there is one, of a row that is inserted. */
  readonly using: string;
  /** The condition for the row as an update leaves it; null: the same. */
  readonly check: string | null;
  readonly result: PolicyResult;
  /** Empty unless the result is false or null. */
  readonly parts: readonly FailedPart[];
}

/** A part of the expression that is not true, of those that it combines with AND. */
export interface FailedPart {
  readonly expression: string;
  /** Whether it is null, which counts as false. */
  readonly isNull: boolean;
  /** What it names, as far as it is known. */
  readonly values: readonly NamedValue[];
}

export interface NamedValue {
  /** `owner`, `claim sub`. */
  readonly name: string;
  readonly value: string | null;
}

/** `null` hides a row as `false` does. `skipped`: there is no row, or the role may not use the schema. */
export type PolicyResult =
  | { readonly kind: 'true' | 'false' | 'null' | 'skipped' }
  | { readonly kind: 'failed'; readonly reason: string };

/** What the role itself gets when it asks for the row, whatever the action is. `untried`: the row is not inserted. */
export type RowOutcome =
  | { readonly kind: 'visible' | 'hidden' | 'untried' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The claim `purpose` of tokens with which the explorer asks about the access of roles, at `ACCESS_PATHS`. */
export const ACCESS_PURPOSE = 'access';

export const ACCESS_PATHS = { matrix: '/explorer/access/matrix', row: '/explorer/access/row' } as const;

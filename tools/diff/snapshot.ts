// The file `migrations/snapshot.json`: the state that all migrations together produce. It contains no passwords.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { SchemaDelta, SchemaState } from '../project/compare/schema-delta.ts';
import type { RoleFacts } from './role-facts.ts';

/** The schema of a database and the roles of the project in its cluster. */
export interface TargetState {
  readonly schema: SchemaState;
  readonly roles: readonly RoleFacts[];
  /** The role that applies migrations, and so owns what they create. */
  readonly owner: string;
}

const FORMAT = 1;

export function renderSnapshot({ schema, roles, owner }: TargetState, delta: SchemaDelta): string {
  const content: unknown = JSON.parse(delta.serialize(schema));
  return `${JSON.stringify({ format: FORMAT, owner, roles, schema: content }, undefined, 1)}\n`;
}

/** The error says that the file is no snapshot. */
export function parseSnapshot(text: string, delta: SchemaDelta): Result<TargetState, string> {
  try {
    const content: unknown = JSON.parse(text);
    if (!isSnapshot(content)) return fail('this is no snapshot of `rowhouse diff --write`');
    const { owner, roles, schema } = content;
    return ok({ owner, roles, schema: delta.deserialize(JSON.stringify(schema)) });
  } catch (error) {
    return fail(`the snapshot cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Snapshot {
  readonly owner: string;
  readonly roles: readonly RoleFacts[];
  readonly schema: object;
}

function isSnapshot(content: unknown): content is Snapshot {
  if (typeof content !== 'object' || content === null) return false;
  const { format, owner, roles, schema } = { format: 0, owner: 0, roles: 0, schema: null, ...content };
  return (
    format === FORMAT &&
    typeof owner === 'string' &&
    Array.isArray(roles) &&
    roles.every(isRoleFacts) &&
    typeof schema === 'object' &&
    schema !== null
  );
}

function isRoleFacts(role: unknown): role is RoleFacts {
  if (typeof role !== 'object' || role === null) return false;
  const lists: readonly unknown[] = [Reflect.get(role, 'attributes'), Reflect.get(role, 'memberships')];
  const settings: unknown = Reflect.get(role, 'settings');
  return typeof Reflect.get(role, 'name') === 'string' && lists.every(Array.isArray) && typeof settings === 'object';
}

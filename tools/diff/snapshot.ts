// Snapshots: the state of a schema as a file. `migrations/snapshot.json` is the state that all migrations together produce,
// kept only to save time: it names the migrations that it was made from. Snapshots contain no passwords.
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { isJsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { MIGRATIONS_FOLDER } from '../migrate/read-migrations.ts';
import { type Catalog, parseCatalog, renderCatalog } from '../project/compare/catalog/catalog.ts';
import type { SchemaDelta, SchemaState } from '../project/compare/schema-delta.ts';
import { messageOf } from '../support/thrown.ts';
import type { RoleFacts } from './role-facts.ts';

/** The schema of a database and the roles of the project in its cluster. */
export interface TargetState {
  readonly schema: SchemaState;
  /** What the same catalogs contain, read in another way. */
  readonly catalog: Catalog;
  readonly roles: readonly RoleFacts[];
  /** The role that applies migrations, and so owns what they create. */
  readonly owner: string;
  /** The hash of the migrations that produce it, if it was kept as their snapshot. */
  readonly migrations?: string;
}

/** A state, and the hash of the migrations that produce it. */
export interface Snapshot extends TargetState {
  readonly migrations: string;
}

/** Relative to the project. */
export const SNAPSHOT_FILE: string = `${MIGRATIONS_FOLDER}/snapshot.json`;

const FORMAT = 3;

export function renderSnapshot(state: TargetState, migrations: string, delta: SchemaDelta): string {
  const { schema, catalog, roles, owner } = state;
  const content: unknown = JSON.parse(delta.serialize(schema));
  const parts = { format: FORMAT, migrations, owner, roles, schema: content, catalog: renderCatalog(catalog) };
  return `${JSON.stringify(parts, undefined, 1)}\n`;
}

/** The error says that the file is no snapshot. */
export function parseSnapshot(text: string, delta: SchemaDelta): Result<Snapshot, string> {
  try {
    const { format, migrations, owner, roles, schema, catalog } = JSON.parse(text) ?? {};
    const isSnapshot =
      format === FORMAT &&
      typeof migrations === 'string' &&
      typeof owner === 'string' &&
      Array.isArray(roles) &&
      roles.every(isRoleFacts) &&
      isJsonObject(schema) &&
      isJsonObject(catalog);
    if (!isSnapshot) return fail('this is no snapshot of `rowhouse diff --write`');
    const facts = delta.deserialize(JSON.stringify(schema));
    return ok({ migrations, owner, roles, schema: facts, catalog: parseCatalog(catalog) });
  } catch (error) {
    return fail(`the snapshot cannot be read: ${messageOf(error)}`);
  }
}

/** @returns the snapshot of the project if these migrations produce it; undefined if there is none */
export async function findSnapshot(
  root: string,
  migrations: string,
  delta: SchemaDelta,
): Promise<TargetState | undefined> {
  const text = await readFile(path.join(root, SNAPSHOT_FILE), 'utf8').catch(() => '');
  const snapshot = parseSnapshot(text, delta);
  return snapshot.ok && snapshot.value.migrations === migrations ? snapshot.value : undefined;
}

/**
 * Keeps the snapshot of the project, and makes git ignore it: two branches would both change it. A file of an older version
 * may be committed, so it is left as it is.
 *
 * @returns what to tell about it, if it could not be kept
 */
export async function keepSnapshot(root: string, text: string): Promise<string | undefined> {
  const file = path.join(root, SNAPSHOT_FILE);
  // Only this version names the migrations.
  const isReplaceable =
    !existsSync(file) ||
    typeof parseJsonObject(await readFile(file, 'utf8').catch(() => ''))?.['migrations'] === 'string';
  if (!isReplaceable) return `${SNAPSHOT_FILE} was not made by this version and is not used: delete it, also from git`;
  const ignored = path.join(root, MIGRATIONS_FOLDER, '.gitignore');
  if (!existsSync(ignored)) await writeFile(ignored, `${path.basename(SNAPSHOT_FILE)}*\n`);
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return undefined;
}

function isRoleFacts(role: unknown): role is RoleFacts {
  if (!isJsonObject(role)) return false;
  const { name, attributes, memberships, settings } = role;
  return typeof name === 'string' && [attributes, memberships].every(Array.isArray) && typeof settings === 'object';
}

// What the loop works with, and what it passes on between its steps.
import type { Client } from 'pg';
import type { SaveQuestion, SaveState } from '../../../src/contract/dev-news.ts';
import type { Catalog } from '../compare/catalog/catalog.ts';
import type { SchemaDelta, SchemaState } from '../compare/schema-delta.ts';
import type { RolesMode } from '../run/run-roles.ts';
import type { ProjectDatabases } from './open-databases.ts';
import type { UpdatePlan } from './plan-update.ts';
import type { Workspace } from './workspace.ts';

/** A question that is asked before anything changes. */
export type Question = SaveQuestion | { readonly kind: 'reseed'; readonly tables: number };

/** Undefined if nobody is there, or the files have changed before the answer. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<boolean | undefined>;

export interface LoopParts {
  readonly root: string;
  readonly delta: SchemaDelta;
  readonly databases: ProjectDatabases;
  readonly workspace: Workspace;
  /** Opens a connection. */
  readonly connect: (uri: string) => Promise<Client>;
  /** Asks a person on the terminal, and in the explorer meanwhile. */
  readonly ask: Ask;
  /** Asks in the explorer alone. */
  readonly askInExplorer: Ask;
  /** Shows in the explorer what became of a save. */
  readonly show: (save: SaveState) => void;
  readonly isLossAllowed: boolean;
  readonly rolesMode: RolesMode;
  /** Lets the rows of new tables be watched. */
  readonly publish: () => Promise<void>;
  readonly print: (text: string) => void;
  /** Prints what takes the time; undefined unless somebody wants to know. */
  readonly debug: ((text: string) => void) | undefined;
}

/** What the files describe. */
export interface FilesState {
  readonly schema: SchemaState;
  /** What the same catalogs contain, read in another way. */
  readonly catalog: Catalog;
}

/** The development database at the time of a mark. */
export interface KnownDatabase {
  readonly state: SchemaState;
  readonly mark: string;
}

export interface PlannedUpdate extends UpdatePlan {
  /** What the database contains afterwards. */
  readonly desired: SchemaState;
  readonly mark: string;
}

/** What the loop needs from the running server. Undefined members until it runs. */
export interface ServedApi {
  /** Runs a change of the schema while no request begins, and resolves when the server has loaded it. */
  change<T>(apply: () => Promise<T>, hasChanged: (result: T) => boolean): Promise<T>;
  /** Called after each change. */
  onApplied(): Promise<void>;
  /** Names of the exposed schemas. */
  schemas(): readonly string[];
}

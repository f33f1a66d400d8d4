// Databases that contain the schema of a state. Texts that PostgreSQL prints may change when they are parsed again: two
// states are equal if their replicas are.
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { type Catalog, compareCatalogs, nameDifferences, readCatalog } from '../project/compare/catalog/catalog.ts';
import type { SchemaDelta, SchemaState } from '../project/compare/schema-delta.ts';
import { carryOut } from './carry-out.ts';
import { READ_ONLY, type ScratchServer } from './scratch-server.ts';
import type { TargetState } from './snapshot.ts';

export type ReplicatedState = Pick<TargetState, 'schema' | 'catalog'>;

export interface Replica extends ReplicatedState {
  /** Names of facts that the database does not have like the state that it was made from. */
  readonly gaps: ReadonlySet<string>;
}

/**
 * Makes a replica in an empty database.
 *
 * @returns why that is not possible, such as an extension that the server does not have
 */
export async function fillReplica(
  client: Client,
  delta: SchemaDelta,
  state: ReplicatedState,
): Promise<Result<Replica, string>> {
  const plan = delta.plan(await delta.read(client, READ_ONLY), state.schema);
  const filled = await carryOut(client, plan, state.catalog);
  if (!filled.ok) return fail(filled.error.message);
  const read = await readState(client, delta, state.schema.version);
  const differences = compareCatalogs(read.catalog, state.catalog);
  // The same version may print what it has parsed again in another way.
  const isText = (name: string): boolean =>
    [read, state].every(({ catalog }) => catalog.facts.get(name)?.isPrinted === true);
  const gaps = new Set(differences.map(({ name }) => name).filter((name) => !isText(name)));
  return ok({ ...read, gaps });
}

/** @param oldest a version; privileges that it does not have are left out */
export async function readState(
  client: Client,
  delta: SchemaDelta,
  oldest: number = Infinity,
): Promise<ReplicatedState> {
  const schema: SchemaState = await delta.read(client, READ_ONLY);
  const catalog: Catalog = await readCatalog(client, { isInTransaction: false, oldest });
  return { schema: { ...schema, version: Math.min(schema.version, oldest) }, catalog };
}

/**
 * @param server where replicas are made
 * @param owner the role that owns what the states do not say otherwise
 * @returns what differs between two states on servers of the same version, for a person; undefined if nothing does
 */
export async function findRemaining(
  delta: SchemaDelta,
  server: ScratchServer,
  owner: string,
  { reached, wanted }: { readonly reached: ReplicatedState; readonly wanted: ReplicatedState },
): Promise<string | undefined> {
  const direct = describeRemaining(delta, owner, [reached, wanted]);
  if (direct === undefined) return undefined;
  const [from, to] = [
    await server.withNewDatabase((client) => fillReplica(client, delta, reached)),
    await server.withNewDatabase((client) => fillReplica(client, delta, wanted)),
  ];
  if (!from.ok || !to.ok) return direct;
  const hasGaps = from.value.gaps.size + to.value.gaps.size > 0;
  return hasGaps ? direct : describeRemaining(delta, owner, [from.value, to.value]);
}

function describeRemaining(
  delta: SchemaDelta,
  owner: string,
  [from, to]: readonly [ReplicatedState, ReplicatedState],
): string | undefined {
  const differences = compareCatalogs(from.catalog, to.catalog);
  if (differences.length > 0) {
    const parts = KINDS.map(([title, kind]) => [title, differences.filter((each) => each.kind === kind)] as const);
    return parts
      .flatMap(([title, some]) => (some.length === 0 ? [] : [`${title}: ${nameDifferences(some)}`]))
      .join('. ');
  }
  const { actions } = delta.plan(from.schema, to.schema, owner);
  return actions.length === 0 ? undefined : `Missing: ${actions.map(({ sql }) => sql).join('; ')}`;
}

const KINDS = [
  ['Missing', 'missing'],
  ['Left over', 'surplus'],
  ['Different', 'different'],
] as const;

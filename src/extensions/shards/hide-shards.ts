// Removes the numbers of shards and the addresses of nodes from what the database reports, so that an error names the same
// objects as on one PostgreSQL, and the comment of a constraint is found.
import { parseConstraintKey } from '../../catalog/constraint-comments.ts';
import type { BySchema, Relation } from '../../catalog/schema-cache.ts';
import type { ConstraintName } from '../../contract/identifiers.ts';
import type { ApiError, DatabaseReport } from '../../errors/api-error.ts';

/** A name with the number of a shard, as PostgreSQL's messages quote it: `relation "task_102207"`. */
const NUMBERED = /(constraint|relation|table) "([^"]+)_(\d{6,})"/gu;
/** A detail repeats values before it names a table. */
const LAST_TABLE = /table "[^"]+"(?=\.$)/u;
const CONSTRAINT_STATES = /^23/u;
/** Failures of connections and servers, whose messages repeat no values. */
const SERVER_STATES = /^(?:08|57|58|XX)/u;
const NODE =
  / \S+@\S+:\d+| at "[^"]*"(?: \([^)]*\))?, port \d+| (?:to|for) shard \d+(?: on \S+:\d+)?|: [^\s:]+:\d+$|^from \S+:\d+$/gu;

/** What a schema cache knows about names. */
interface KnownNames {
  readonly relations: BySchema<Pick<Relation, 'distribution'>>;
  readonly constraintComments: ReadonlyMap<string, unknown>;
}

/** @returns what removes them from an error */
export function createShardHider(cache: KnownNames): (error: ApiError) => ApiError {
  const [spread, others] = [new Set<string>(), new Set<string>()];
  for (const relations of cache.relations.values())
    for (const [name, { distribution }] of relations) (distribution === undefined ? others : spread).add(name);
  const context = {
    isShard: (table: string, number: string) => spread.has(table) && !others.has(`${table}_${number}`),
    commented: [...cache.constraintComments.keys()].map(parseConstraintKey),
  };
  return (error) => (error.kind === 'database' ? { ...error, report: hideShards(error.report, context) } : error);
}

interface HiderContext {
  /** Whether a number after the name of a table makes it that of a shard. */
  readonly isShard: (table: string, number: string) => boolean;
  readonly commented: readonly ConstraintName[];
}

function hideShards(report: DatabaseReport, { isShard, commented }: HiderContext): DatabaseReport {
  const { sqlstate, message, detail, constraint } = report;
  // Citus passes on what another node reports without the name of the constraint.
  const isOnShard =
    CONSTRAINT_STATES.test(sqlstate) && (constraint === undefined || isShard(...splitNumber(constraint.owner)));
  const strip = (text: string): string =>
    text.replaceAll(NUMBERED, (whole, kind: string, name: string, number: string) =>
      isOnShard || isShard(name, number) ? `${kind} "${name}"` : whole,
    );
  const stripped = strip(message);
  const isOfServer = SERVER_STATES.test(sqlstate);
  return {
    ...report,
    message: isOfServer ? stripped.replaceAll(NODE, '') : stripped,
    detail: (isOfServer ? detail?.replaceAll(NODE, '') : detail?.replace(LAST_TABLE, strip)) || undefined,
    constraint: isOnShard && stripped !== message ? findConstraint(stripped, commented) : constraint,
  };
}

function splitNumber(name: string): readonly [table: string, number: string] {
  const at = name.lastIndexOf('_');
  return [name.slice(0, at), name.slice(at + 1)];
}

/** The message of a unique constraint names no table, that of a foreign key the one that has it last. */
function findConstraint(message: string, commented: readonly ConstraintName[]): ConstraintName | undefined {
  const [, name] = /constraint "([^"]+)"/u.exec(message) ?? [];
  const [, owner] = [...message.matchAll(/(?:relation|table) "([^"]+)"/gu)].at(-1) ?? [];
  const found = commented.filter((each) => each.name === name && (owner === undefined || each.owner === owner));
  return found.length === 1 ? found[0] : undefined;
}

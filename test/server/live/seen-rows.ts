// Records every row that a viewer of the convergence test was ever allowed to see, as PostgreSQL says: with serialized
// transactions, each records what is visible when it commits.
import type { QueryResult } from 'pg';
import type { Row } from './watcher.ts';

export interface Viewer {
  readonly role: string;
  /** The text of a JSON object. */
  readonly claims: string;
}

interface Visible {
  readonly tasks: readonly Row[];
  readonly vault: readonly Row[];
  readonly totals: readonly Row[];
}

const VISIBLE_SQL = `select json_build_object(
  'tasks', (select coalesce(json_agg(task), '[]') from api.task),
  'vault', (select coalesce(json_agg(vault), '[]') from api.vault),
  'totals', (select coalesce(json_agg(totals), '[]') from api.totals)) as visible`;

export class SeenRows {
  readonly #viewers: readonly Viewer[];
  readonly #seen: Map<Viewer, Set<string>>;

  constructor(viewers: readonly Viewer[]) {
    this.#viewers = viewers;
    this.#seen = new Map(viewers.map((viewer) => [viewer, new Set()]));
  }

  /** Returns statements for the end of a transaction, whose results `record` takes. */
  get statements(): readonly string[] {
    return this.#viewers.flatMap(({ role, claims }) => [
      `set local role ${role}`,
      `set local "request.jwt.claims" = '${claims}'`,
      VISIBLE_SQL,
      'reset role',
    ]);
  }

  /** @param results those of the statements of a committed transaction, and others */
  record(results: readonly QueryResult<{ readonly visible?: Visible }>[]): void {
    const visible = results.flatMap(({ rows }) => rows[0]?.visible ?? []);
    for (const [index, viewer] of this.#viewers.entries()) {
      const [seen, now] = [this.#seen.get(viewer), visible[index]];
      if (seen === undefined || now === undefined) throw new Error('nobody has recorded what is visible');
      for (const task of now.tasks) for (const part of partsOfTask(task)) seen.add(part);
      for (const row of [...now.vault, ...now.totals]) seen.add(JSON.stringify(row));
      seen.add(JSON.stringify({ count: now.vault.length }));
    }
  }

  /** Returns those of the rows of a read that the viewer was never allowed to see. */
  findForeign(viewer: Viewer, path: string, rows: readonly Row[]): readonly unknown[] {
    const seen = this.#seen.get(viewer);
    return restrictedParts(path, rows).filter((part) => seen?.has(JSON.stringify(part)) !== true);
  }
}

/** A task as a whole, and as the reads of the test select it. */
function partsOfTask(task: Row): readonly string[] {
  const { id, note } = task;
  return [task, { id, note }, { id }].map((part) => JSON.stringify(part));
}

/** All may see teams and events. */
function restrictedParts(path: string, rows: readonly Row[]): readonly unknown[] {
  if (path.startsWith('/event')) return [];
  if (path.startsWith('/team')) return rows.flatMap(({ task }) => task as readonly Row[]);
  return path.includes('team(name)') ? rows.map(({ id }) => ({ id })) : rows;
}

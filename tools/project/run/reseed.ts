// Empties the tables of the development database and fills them again (`project.md` §1 item 4).
import type { Client } from 'pg';
import type { Project } from '../folder/read-project.ts';
import { renderSeedFailure, runSeeds } from './run-seed.ts';

/** The tables of the user, as quoted names. */
const USER_TABLES = `select class.oid::regclass::text as name from pg_catalog.pg_class as class
join pg_catalog.pg_namespace as namespace on namespace.oid = class.relnamespace
where class.relkind in ('r', 'p') and not class.relispartition
  and nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse')
  and not exists (select from pg_catalog.pg_depend where objid = class.oid and deptype = 'e')`;

/**
 * @param mayEmpty whether this many tables may be emptied
 * @returns what to report
 */
export async function reseed(
  dev: Client,
  project: Project,
  mayEmpty: (tables: number) => Promise<boolean>,
): Promise<string> {
  const { rows } = await dev.query<{ name: string }>(USER_TABLES);
  if (!(await mayEmpty(rows.length))) return 'Not reseeded: pass --allow-loss too, or answer y on a terminal.';
  const names = rows.map(({ name }) => name);
  const first = names.length === 0 ? '' : `truncate ${names.join(', ')} restart identity cascade`;
  const problem = await runSeeds(dev, project, first);
  return problem === undefined
    ? 'The tables are filled from seed/.'
    : renderSeedFailure(problem, 'Start with --reseed again.');
}

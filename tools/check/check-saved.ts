// The lints after each save of `rowhouse dev`: findings that were not there before, in one line.
import { withConnection } from '../embedded/script/sql-session.ts';
import { readProject } from '../project/folder/read-project.ts';
import { readProjectScope } from '../project/run/web-roles.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { applyAllowances } from './apply-allowances.ts';
import type { LocatedFinding } from './lints/finding.ts';
import { runLints } from './run-lints.ts';
import { indexSources } from './source-index.ts';

/** More names would not fit a line. */
const SHOWN = 3;

/** @returns a function that says what is new since its last call; its first call only notes what there is */
export function createSaveCheck(root: string): (uri: string) => Promise<string | undefined> {
  let known: ReadonlySet<string> | undefined;
  return async (uri) => {
    const findings = await findAll(root, uri);
    const before = known;
    known = new Set(findings.map(keyOf));
    const added = before === undefined ? [] : findings.filter((finding) => !before.has(keyOf(finding)));
    return added.length === 0 ? undefined : describe(added);
  };
}

function keyOf({ lint, object, role }: LocatedFinding): string {
  return [lint, object, role].join(' ');
}

/** Without the proofs of `rowhouse check`, which write. */
async function findAll(root: string, uri: string): Promise<readonly LocatedFinding[]> {
  const project = await readProject(root);
  if (!project.ok) return [];
  return withConnection(uri, async (client) => {
    const scope = await readProjectScope(client, project.value);
    if (!scope.ok) return [];
    const { config, roles } = scope.value;
    const found = await runLints(client, { schemas: config.dbSchemas, roles });
    const located = applyAllowances(found, indexSources(project.value), () => false);
    return located.filter(({ level }) => level !== 'note');
  });
}

function describe(findings: readonly LocatedFinding[]): string {
  const names = findings.slice(0, SHOWN).map(({ lint, object, file, line }) => {
    const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
    return `${lint} ${object}${place}`;
  });
  const rest = findings.length - SHOWN;
  const all = [...names, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
  return `check: new: ${all}. For reasons and fixes: ${findOwnCommand()} check`;
}

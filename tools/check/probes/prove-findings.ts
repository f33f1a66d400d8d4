// Proves findings about access: as the role, in a transaction that is rolled back, reads or writes a row that a policy
// gives to somebody else (`project.md` §6 item 3). Only a proved finding is an error.
import { LINTS } from '../lints/all.ts';
import type { Finding } from '../lints/finding.ts';
import { findTies, type ProbedAction, type Tie } from './find-ties.ts';
import { findForeign, type ForeignRow, listOwners, STRANGERS } from './foreign-rows.ts';
import { canWrite, listWrites, readTarget, type Target, type WriteAction } from './probe-writes.ts';
import { type Client, inTransaction, ProbeTimeout, setRole } from './statements.ts';

const PROBES = new Map(LINTS.map(({ name, probe }) => [name, probe]));

export interface ProbeOptions {
  /** Whether rows are written too. Triggers then run. */
  readonly hasWrites: boolean;
}

/** @param client not in a transaction. Nothing stays. @returns the findings with what their probes have shown */
export async function proveFindings(
  client: Client,
  findings: readonly Finding[],
  options: ProbeOptions,
): Promise<readonly Finding[]> {
  const proved: Finding[] = [];
  for (const finding of findings)
    proved.push(PROBES.get(finding.lint) === undefined ? finding : await prove(client, finding, options));
  return proved;
}

const VERBS: Readonly<Record<ProbedAction, string>> = {
  read: 'reads',
  insert: 'inserts',
  update: 'updates',
  delete: 'deletes',
};

async function prove(client: Client, finding: Finding, { hasWrites }: ProbeOptions): Promise<Finding> {
  const { lint, object, role, message } = finding;
  if (role === null) return finding;
  const isWritten = PROBES.get(lint) === 'writes';
  const target = hasWrites && isWritten ? await readTarget(client, object, role) : undefined;
  const actions: readonly ProbedAction[] = ['read', ...(target === undefined ? [] : listWrites(target))];
  let hasTie = false;
  try {
    for (const action of actions) {
      const ties = await findTies(client, object, role, action);
      hasTie ||= ties.length > 0;
      for (const tie of ties) {
        const row =
          action === 'read' || target === undefined
            ? await findReadable(client, tie, role)
            : await findWritable(client, role, action, target, tie);
        if (row === undefined) continue;
        const claim = `${row.claim.join('.')} = "${row.reader}"`;
        const proof = `Proved: with the claim ${claim}, the role ${VERBS[action]} a row of "${row.owner}".`;
        return { ...finding, level: 'error', isProved: true, message: `${message} ${proof}` };
      }
    }
  } catch (error) {
    if (!(error instanceof ProbeTimeout)) throw error;
    return { ...finding, message: `${message} Not proved: a probe took too long, or waited for a lock.` };
  }
  return { ...finding, message: `${message} Not proved: ${describeFailure(hasTie, isWritten, hasWrites)}` };
}

function describeFailure(hasTie: boolean, isWritten: boolean, hasWrites: boolean): string {
  if (!hasTie) return 'no policy ties its rows to a claim.';
  if (!isWritten) return 'no row of somebody else could be read.';
  return hasWrites
    ? 'no row of somebody else could be read or written.'
    : 'no row of somebody else could be read. Writes were not tried: that needs check --probe-writes.';
}

function findReadable(client: Client, tie: Tie, role: string): Promise<ForeignRow | undefined> {
  return inTransaction(client, 'read only', async () => {
    const owners = await listOwners(client, tie);
    await setRole(client, role);
    const first = await findForeign(client, tie, role, owners, [...owners, ...STRANGERS]).next();
    return first.value ?? undefined;
  });
}

/** A foreign row shows the same with any reader. */
const MAX_WRITERS = 2;

function findWritable(
  client: Client,
  role: string,
  action: WriteAction,
  target: Target,
  tie: Tie,
): Promise<ForeignRow | undefined> {
  return inTransaction(client, 'read write', async () => {
    const owners = await listOwners(client, tie);
    const readers = owners.length < MAX_WRITERS ? [...owners, ...STRANGERS] : owners.slice(0, MAX_WRITERS);
    for await (const row of findForeign(client, tie, role, owners, readers))
      if (await canWrite(client, { role, action, target, tie, row })) return row;
    return undefined;
  });
}

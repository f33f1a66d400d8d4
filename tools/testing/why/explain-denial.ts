// Which privilege a request lacks.
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import { readViewBody } from './base-tables.ts';
import { type FailedRequest, describeContext } from './explain-failure.ts';
import { explainObject } from './explain-object.ts';
import { findMissing, listNeeds, type Need } from './needed-privileges.ts';
import type { Facts, Probe } from './probe.ts';
import { quoteReport } from './report.ts';

export async function explainDenial(
  action: ReadAction | MutateAction,
  failed: FailedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  const { role, report } = failed;
  const lines = new Set<string>();
  for (const need of listNeeds(action)) {
    const facts = await probe.readFacts(need.relation, role);
    if (facts === undefined) continue;
    for (const line of describeMissing(need, facts)) lines.add(line);
    if (facts.relation.kind === 'view') for (const line of await explainBelowView(need, role, probe)) lines.add(line);
  }
  if (lines.size > 0) return [...lines];
  const context = await describeContext(failed, probe);
  const tables = [...new Set(listNeeds(action).map(({ relation }) => relation.name))];
  const used = await explainObject(failed, tables, probe);
  if (used.length > 0) return [...used, ...context];
  const what = context.length === 0 ? ': a sequence, a function, or a table that a policy reads' : '';
  return [
    `PostgreSQL reported ${quoteReport(report)}.`,
    `The privileges of ${role} on the tables of the request suffice, so it concerns something that they use${what}.`,
    ...context,
  ];
}

function describeMissing(need: Need, { relation, role, rights, name }: Facts): readonly string[] {
  const usage = role.hasUsage ? [] : [`${role.name} lacks USAGE on the schema ${name.schema}.`];
  const missing = findMissing(need, rights, relation.columns);
  const privilege = need.privilege.toUpperCase();
  if (missing === 'all') return [...usage, `${role.name} lacks ${privilege} on ${relation.name}.`];
  if (missing.length === 0) return usage;
  const columns = missing.length === 1 ? 'column' : 'columns';
  return [...usage, `${role.name} lacks ${privilege} on the ${columns} ${missing.join(', ')} of ${relation.name}.`];
}

/** A view needs the privileges of its owner, or of the role itself. */
async function explainBelowView(need: Need, role: string, probe: Probe): Promise<readonly string[]> {
  const body = await readViewBody(need.relation, role, probe);
  const lines: string[] = [];
  for (const { name, reader } of body?.tables ?? []) {
    const facts = await probe.readFacts(name, reader);
    if (facts === undefined || facts.rights[need.privilege] !== false) continue;
    const right = reader === role ? '(security_invoker)' : '(its owner)';
    lines.push(
      `${reader} lacks ${need.privilege.toUpperCase()} on ${name.name}, which the view ${need.relation.name} uses as ${reader} ${right}.`,
    );
  }
  return lines;
}

// The rows of other tables that a request reads: embedded ones, and those that its conditions look for.
import type { Relationship } from '../../../src/catalog/schema-cache.ts';
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { ok, type Result } from '../../../src/contract/result.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { Condition } from '../../../src/plan/levels/read-plan.ts';
import { renderCondition } from '../../../src/sql/levels/condition.ts';
import { renderEmbedSource } from '../../../src/sql/levels/from.ts';
import { Scope } from '../../../src/sql/levels/scope.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';
import { StatementBuilder } from '../../../src/sql/text/statement-builder.ts';
import { type Probe, readRows } from './probe.ts';
import { type FoundRow, MAX_ROWS, readFound, renderRow } from './row-statements.ts';
import { findKeyed, type Target } from './targets.ts';

/** The rows that lead to others. */
export interface Root {
  readonly relation: QualifiedName;
  /** Replaces the relation in FROM. */
  readonly source: string | undefined;
  readonly where: readonly Condition[];
}

export interface Step {
  readonly relationship: Exclude<Relationship, { readonly kind: 'computed' }>;
  readonly where: readonly Condition[];
}

/** Splits relationships through a junction, whose policies decide as well. */
export function splitStep({ relationship, where }: Step): readonly Step[] {
  if (relationship.kind !== 'manyToMany') return [{ relationship, where }];
  const { junction, originColumns, targetColumns, originConstraint, targetConstraint, ...ends } = relationship;
  const first = {
    ...ends,
    target: junction,
    targetIsView: false,
    constraint: originConstraint,
    columns: originColumns,
  };
  const last = { ...ends, origin: junction, originIsView: false, constraint: targetConstraint, columns: targetColumns };
  return [
    { relationship: { ...first, kind: 'oneToMany', isParent: true }, where: [] },
    { relationship: { ...last, kind: 'manyToOne', isParent: false }, where },
  ];
}

/** Returns the rows at the end of the steps, whatever the policies are. */
export async function findRelated(
  root: Root,
  steps: readonly Step[],
  { target, probe }: { readonly target: Target; readonly probe: Probe },
): Promise<Result<readonly FoundRow[], string>> {
  const found = readRows(await probe.read(renderRelated(root, steps, target)));
  if (!found.ok) return found;
  const rows = readFound(found.value);
  return target.source === undefined ? ok(rows) : findKeyed(target, rows, (statement) => probe.read(statement));
}

function renderRelated(root: Root, steps: readonly Step[], { shown, source }: Target): Statement {
  const builder = new StatementBuilder(root.relation.name);
  let scope = new Scope(builder, { ref: quoteIdentifier(root.relation.name), depth: 0 });
  const render = (condition: Condition): string => renderCondition(condition, scope, () => 'TRUE');
  const from = [`${root.source ?? quoteQualified(root.relation)} AS ${scope.ref}`];
  const conditions = root.where.map(render);
  for (const [index, { relationship, where }] of steps.entries()) {
    const joined = renderEmbedSource(relationship, scope, builder);
    const isLast = index === steps.length - 1;
    from.push(isLast && source !== undefined ? `${source} AS ${joined.ref}` : joined.from);
    conditions.push(...joined.conditions);
    scope = new Scope(builder, joined);
    conditions.push(...where.map(render));
  }
  return {
    text: `SELECT DISTINCT ${renderRow(scope.ref, shown)} FROM ${from.join(', ')}
WHERE ${['TRUE', ...conditions].join(' AND ')} LIMIT ${MAX_ROWS + 1}`,
    parameters: builder.parameters,
  };
}

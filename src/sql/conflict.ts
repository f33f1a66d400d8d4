// Renders ON CONFLICT, and the counter that distinguishes inserted rows from updated ones (`writing.md` §5.2, §5.3).
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { ConflictPlan, PayloadPlan } from '../plan/actions/action-plan.ts';

interface ConflictRows extends Pick<PayloadPlan, 'columns'> {
  /** The name without its schema. */
  readonly table: string;
}

/**
 * Each candidate row increments a transaction-local setting and each update decrements it. Unlike system columns, this
 * works for partitioned tables and views.
 */
export function renderConflict(conflict: ConflictPlan, payload: ConflictRows, counter: string): string {
  const { columns, table } = payload;
  const { target, merged, resolution, isCounted } = conflict;
  const onConflict = target === 'any' ? 'ON CONFLICT' : `ON CONFLICT (${target.map(quoteIdentifier).join(', ')})`;
  const candidates = isCounted ? `WHERE ${renderStep(counter, '+ 1')} <> '0' ${onConflict}` : onConflict;
  if (resolution === 'ignore' || columns.length === 0) return `${candidates} DO NOTHING`;
  const changed = merged ?? columns.map(({ column }) => column.name);
  const assignments = [...new Set(changed)].map((column) => {
    const name = quoteIdentifier(column);
    return `${name} = EXCLUDED.${name}`;
  });
  const conditions = (conflict.unchanged ?? []).map((column) => {
    const name = quoteIdentifier(column);
    return `${quoteIdentifier(table)}.${name} = EXCLUDED.${name}`;
  });
  if (isCounted) conditions.push(`${renderStep(counter, '- 1')} <> '-1'`);
  const updates = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  return `${candidates} DO UPDATE SET ${assignments.join(', ')}${updates}`;
}

function renderStep(counter: string, step: string): string {
  const current = `coalesce(nullif(current_setting('${counter}', true), '')::int, 0)`;
  return `set_config('${counter}', (${current} ${step})::text, true)`;
}

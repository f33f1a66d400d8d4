// Renders ON CONFLICT, and the counter that distinguishes inserted rows from updated ones (`writing.md` §5.2, §5.3).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { IndexKey } from '../../catalog/schema-cache.ts';
import type { ConflictPlan, PayloadPlan } from '../../plan/actions/action-plan.ts';

/** Names of settings that the statement uses. */
export interface ConflictSettings {
  readonly counter: string;
  /** Marks a row that is updated, until the next candidate; undefined: rows do not show it. */
  readonly mark: string | undefined;
  /** Expression of the text that marks it, which is never empty; undefined: `on`. */
  readonly saved?: string | undefined;
}

interface ConflictRows extends Pick<PayloadPlan, 'columns'> {
  /** The name without its schema. */
  readonly table: string;
}

/**
 * Each candidate row increments a transaction-local setting and each update decrements it. Unlike system columns, this
 * works for partitioned tables and views.
 */
export function renderConflict(
  conflict: ConflictPlan,
  { columns, table }: ConflictRows,
  { counter, mark, saved }: ConflictSettings,
): string {
  const { merged, resolution, isCounted } = conflict;
  const steps: string[] = [];
  if (isCounted) steps.push(`${renderStep(counter, '+ 1')} <> '0'`);
  if (mark !== undefined) steps.push(`${renderMark(mark, "''")} = ''`);
  const candidates = `${renderWhere(steps)}${renderTarget(conflict)}`;
  if (resolution !== 'merge' || columns.length === 0) return `${candidates} DO NOTHING`;
  const changed = merged ?? columns.map(({ column }) => column.name);
  const assignments = [...new Set(changed)].map((column) => {
    const name = quoteIdentifier(column);
    return `${name} = EXCLUDED.${name}`;
  });
  const updates = (conflict.unchanged ?? []).map((column) => {
    const name = quoteIdentifier(column);
    return `${quoteIdentifier(table)}.${name} = EXCLUDED.${name}`;
  });
  if (isCounted) updates.push(`${renderStep(counter, '- 1')} <> '-1'`);
  if (mark !== undefined) updates.push(`${renderMark(mark, saved ?? "'on'")} <> ''`);
  return `${candidates} DO UPDATE SET ${assignments.join(', ')} ${renderWhere(updates)}`.trimEnd();
}

function renderWhere(conditions: readonly string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
}

function renderTarget({ target }: ConflictPlan): string {
  if (target === 'any') return 'ON CONFLICT';
  const predicate = target.predicate === undefined ? '' : ` WHERE ${target.predicate}`;
  return `ON CONFLICT (${target.keys.map(renderKey).join(', ')})${predicate}`;
}

/** Unqualified: its columns are those of the only table in scope. */
export function renderKey(key: IndexKey): string {
  return key.kind === 'column' ? quoteIdentifier(key.name) : `(${key.text})`;
}

/** Whether the row that was written last is new, in RETURNING. */
export function renderIsInserted(mark: string): string {
  return `coalesce(current_setting('${mark}', true), '') = ''`;
}

function renderMark(mark: string, value: string): string {
  return `set_config('${mark}', ${value}, true)`;
}

function renderStep(counter: string, step: string): string {
  const current = `coalesce(nullif(current_setting('${counter}', true), '')::int, 0)`;
  return `set_config('${counter}', (${current} ${step})::text, true)`;
}

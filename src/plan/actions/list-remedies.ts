// Lists what usually makes a request cheaper, for one that exceeds its budget (`beyond.md` §1.2).
import type { RowsAction } from './action-plan.ts';

/** @returns at least one instruction, without a capital letter and a period */
export function listRemedies(action: RowsAction): readonly string[] {
  const { read, count, range } = action;
  return [
    firstRemedy(action),
    ...(range.limit === undefined && mayHaveManyRows(action) ? ['set a limit'] : []),
    ...(read.embeds.length > 0 ? ['embed fewer relations'] : []),
    ...(count.kind === 'exact' ? ['ask for count=estimated'] : []),
  ];
}

function mayHaveManyRows(action: RowsAction): boolean {
  if (action.kind !== 'call') return action.kind === 'read';
  const { result } = action.routine;
  return result.kind !== 'void' && result.isSet;
}

function firstRemedy(action: RowsAction): string {
  if (action.kind === 'call') return 'pass arguments that select fewer rows';
  const isInsert = action.kind === 'mutate' && (action.mutation === 'insert' || action.mutation === 'put');
  return isInsert ? 'send fewer rows' : 'filter by an indexed column';
}

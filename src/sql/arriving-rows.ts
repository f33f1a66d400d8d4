// Renders the statements that insert rows while they arrive (`beyond.md` §1.9).
import type { FunctionReference } from '../config/table/app-config.ts';
import type { MutateAction } from '../plan/actions/action-plan.ts';
import { renderBatchInsert } from './render-mutation.ts';
import type { ArrivingRows } from './transaction-script.ts';
import { canPassAsColumns, renderPayloadColumns } from './writes/payload-columns.ts';
import { renderPayloadRows } from './writes/payload.ts';

export function findArriving(
  action: MutateAction,
  payloadParameter: number | undefined,
  preRequest: FunctionReference | undefined,
): ArrivingRows | undefined {
  const { payload } = action;
  if (payload?.batches === undefined || payloadParameter === undefined) return undefined;
  return {
    batches: payload.batches,
    parameter: payloadParameter,
    insertion: renderBatchInsert(action, renderPayloadRows),
    // A pre-request function could change how array literals are parsed.
    columnInsertion:
      preRequest === undefined && canPassAsColumns(payload)
        ? renderBatchInsert(action, renderPayloadColumns)
        : undefined,
  };
}

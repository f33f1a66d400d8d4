// Nested writes: a POST or PATCH whose body contains related rows, with `Prefer: nested=write` (`beyond.md` §2.2). The plan
// is a list of tasks, and the script of the request is divided into as many parts as they need.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Extension } from '../../serve/extension.ts';
import type { RequestContext } from '../../serve/request-context.ts';
import type { PreparedRows } from '../../sql/render-script.ts';
import { isNestedAction, type NestedPlan } from './nested-plan.ts';
import { isNested, planNested } from './plan/plan-nested.ts';
import { prepareNested, type NestedPart, type PreparedNested, startNested } from './script/nested-run.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

export const NESTED: Extension = {
  name: 'nested',
  compile({ config }) {
    if (!config.extensions.nested) return undefined;
    return {
      planInSlices(request, context) {
        const { action } = request;
        return action.kind === 'mutateRelation' && isNested(request) ? planNested(request, action, context) : undefined;
      },
      completeWrite(prepared, context) {
        const { action } = prepared;
        return isNestedAction(action) ? addParts(prepared, action.parts, context) : undefined;
      },
    };
  },
};

async function addParts(
  prepared: PreparedRows,
  plan: NestedPlan,
  { dialect: { settingsPrefix }, pause }: RequestContext,
): Promise<Result<PreparedRows, ApiError>> {
  const { main, payloadParameter: rowsParameter } = prepared.statements;
  const nested = await prepareNested(plan, { main, rowsParameter }, settingsPrefix, pause);
  return nested.ok ? ok({ ...prepared, divide: (script, note) => nestScript(script, nested.value, note) }) : nested;
}

/** See `DivideScript`. */
function nestScript(
  script: TransactionScript,
  nested: PreparedNested,
  noteFailure: ((error: ApiError) => void) | undefined,
): TransactionScript {
  const runPart = ({ segments, proceed }: NestedPart): TransactionScript => ({
    ...script,
    segments,
    continue: async (results) => {
      const next = await proceed(results);
      if (!next.ok) noteFailure?.(next.error);
      if (!next.ok) return next;
      if (next.value !== undefined) return ok(runPart(next.value));
      return (await script.continue?.([results.at(-1) ?? results[0]])) ?? ok(undefined);
    },
  });
  return runPart(startNested(nested, script.segments[0]));
}

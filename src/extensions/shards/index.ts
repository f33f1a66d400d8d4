// Tables whose rows Citus spreads over servers (`docs/scale.md`). Where the schema cache finds them, this extension keeps
// each request of one tenant on one shard, passes the settings that policies read to the other servers, and refuses what
// cannot be right there. The forms of statements that Citus can run are in `sql/`: they depend on `Relation.distribution`.
import type { PlanSeams } from '../../plan/actions/plan-context.ts';
import type { Planning } from '../../prepare/plan-cache.ts';
import type { Extension } from '../../serve/extension.ts';
import type { Seams } from '../../serve/request-context.ts';
import type { SqlSeams } from '../../sql/render-script.ts';
import { readClaim } from './claims.ts';
import { completePlan } from './complete-plan.ts';
import { completeSegment } from './complete-segment.ts';
import { divideWrite } from './divide-write.ts';
import { createShardHider } from './hide-shards.ts';

export const SHARDS: Extension = {
  name: 'shards',
  compile({ config, cache, dialect }) {
    const shards = cache?.shards;
    if (cache === undefined || shards === undefined) return undefined;
    const claim = config.dbShardClaim;
    const context = { dialect, cache };
    // A pre-request function may set the style of dates.
    const isIso = shards.isIso && config.dbPreRequest === undefined;
    return {
      correctError: createShardHider(cache),
      completePlan: (action, current) => completePlan(action, { cache: current, claim: undefined, isIso }),
      completeSegment: (segment, settings, sender) => completeSegment(segment, settings, { sender, shards, claim }),
      completeWrite: (prepared) =>
        prepared.action.kind === 'mutate' && prepared.action.isDivided
          ? Promise.resolve(divideWrite(prepared, prepared.action, context))
          : undefined,
      choosePlanning: claim === undefined ? undefined : narrowPlanning(claim, isIso),
    };
  },
};

/** Tokens with the claim share plans, which have a parameter for its value. */
function narrowPlanning(claim: string, isIso: boolean): Seams['choosePlanning'] {
  let usual: Planning | undefined;
  let narrowed: Planning | undefined;
  return (planning, { claimsText }) => {
    if (readClaim(claimsText, claim) === undefined) return undefined;
    if (planning !== usual || narrowed === undefined) {
      const { context } = planning;
      const seams: PlanSeams & SqlSeams = {
        ...context.seams,
        completePlan: (action, cache) => completePlan(action, { cache, claim, isIso }),
      };
      narrowed = { ...planning, variant: 'narrowed', context: { ...context, seams } };
      usual = planning;
    }
    return narrowed;
  };
}

// Limits of the rate at which each client may send requests (`beyond.md` §3.5). The primary process keeps the quotas of
// all workers.
import type { Quota, RateGrant } from '../../contract/rate-limit.ts';
import { counter, gauge, type Metric } from '../../observe/metrics.ts';
import type { Extension } from '../../serve/extension.ts';
import { isJsonObject } from '../../util/json-object.ts';
import { RateBuckets, type RateCounters } from './rate-buckets.ts';
import { createGate, type TakeFromQuota } from './rate-gate.ts';
import { compileRateRules } from './rate-rules.ts';

export const RATES: Extension = {
  name: 'rates',
  start({ snapshot, awaitKeys, askPrimary }) {
    const buckets = new RateBuckets({ now: () => performance.now() });
    const askForGrant = async (quota: Quota): Promise<RateGrant> => {
      const grant = await askPrimary?.(quota);
      return isGrant(grant) ? grant : GRANTED;
    };
    const take: TakeFromQuota = askPrimary === undefined ? buckets.take : askForGrant;
    return {
      apply({ config, roleSettings }) {
        const rules = compileRateRules(config, roleSettings);
        return { admit: rules && createGate(rules, { snapshot, awaitKeys, take }) };
      },
      answerWorker: (quota) => (isQuota(quota) ? buckets.take(quota) : undefined),
      metrics: () => (buckets.counters === undefined ? [] : describeBuckets(buckets.counters)),
    };
  },
};

function describeBuckets({ buckets, evictions }: RateCounters): readonly Metric[] {
  return [
    gauge('rate_limit_buckets', 'Clients whose quota of requests is not whole', buckets),
    counter('rate_limit_evictions_total', 'The total number of clients that were forgotten to bound memory', evictions),
  ];
}

/** Without the primary process, only requests in flight remain. */
const GRANTED: RateGrant = { isGranted: true, remaining: 0, seconds: 1 };

function isGrant(answer: unknown): answer is RateGrant {
  return isJsonObject(answer) && 'isGranted' in answer;
}

function isQuota(question: unknown): question is Quota {
  return isJsonObject(question) && 'limit' in question;
}

// Limits of the rate at which each client may send requests (`beyond.md` §3.5). The primary process keeps the quotas of
// all workers.
import { type Quota, type RateGrant, rateFieldsOf } from '../../contract/rate-limit.ts';
import { counter, gauge, type Metric } from '../../observe/metrics.ts';
import type { Extension, Admit, Admitted, ServiceEnvironment } from '../../serve/extension.ts';
import { isJsonObject } from '../../util/json-object.ts';
import { RateBuckets, type RateCounters } from './rate-buckets.ts';
import { compileRateRules, findQuota, type RateRules } from './rate-rules.ts';
import { authenticate } from '../../auth/authenticate.ts';
import { checkSource } from '../../auth/check-source.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { fail, ok } from '../../contract/result.ts';
import { answerUnauthenticated } from '../../response/answer-unauthenticated.ts';
import { findClientAddress } from './client-address.ts';

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

/** Takes one request from a quota, which another process may keep. */
type TakeFromQuota = (quota: Quota) => RateGrant | Promise<RateGrant>;

/** Admits a request at once if it can, so that requests that arrive together stay together. */
function createGate(
  rules: RateRules,
  { snapshot, awaitKeys, take }: Pick<ServiceEnvironment, 'snapshot' | 'awaitKeys'> & { readonly take: TakeFromQuota },
): Admit {
  return (request, client) => {
    const context = snapshot(request);
    // Preflights and files of the explorer take no work; pages that are not allowed must not use up a quota.
    if (
      answerUnauthenticated(request, context.edge, context.explorer) !== undefined ||
      checkSource(request, context.config.serverAllowedHosts) !== undefined
    )
      return ok(request);
    const takeNow = (): Admitted | Promise<Admitted> => {
      // An invalid token is rejected later.
      const identity = rules.needsIdentity ? authenticate(request, context.auth) : undefined;
      const address = findClientAddress(client.address, request.headers, rules.proxies);
      const hash = (text: string): string => context.hash([new TextEncoder().encode(text)]);
      const quota = findQuota(rules, identity?.ok === true ? identity.value : undefined, address, hash);
      if (quota === undefined) return ok(request);
      const grant = take(quota);
      return grant instanceof Promise
        ? grant.then((later) => answerGrant(request, quota, later))
        : answerGrant(request, quota, grant);
    };
    const keys = rules.needsIdentity ? awaitKeys(request) : undefined;
    return keys === undefined ? takeNow() : keys.then(takeNow);
  };
}

function answerGrant(request: HttpRequest, { limit }: Quota, grant: RateGrant): Admitted {
  if (!grant.isGranted) return fail({ kind: 'rateExceeded', limit, grant });
  return ok({ ...request, rateFields: rateFieldsOf(limit, grant) });
}

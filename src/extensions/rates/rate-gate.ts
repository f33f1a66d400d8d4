// Admits requests at the rate of their client (`beyond.md` §3.5). Runs before any other work on a request, but for the
// verification of its token where that identifies the client.
import { authenticate } from '../../auth/authenticate.ts';
import { checkSource } from '../../auth/check-source.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { type Quota, type RateGrant, rateFieldsOf } from '../../contract/rate-limit.ts';
import { fail, ok } from '../../contract/result.ts';
import type { Admit, Admitted, ServiceEnvironment } from '../../serve/extension.ts';
import { answerUnauthenticated } from '../../response/answer-unauthenticated.ts';
import { findClientAddress } from './client-address.ts';
import { findQuota, type RateRules } from './rate-rules.ts';

/** Takes one request from a quota, which another process may keep. */
export type TakeFromQuota = (quota: Quota) => RateGrant | Promise<RateGrant>;

/** Admits a request at once if it can, so that requests that arrive together stay together. */
export function createGate(
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

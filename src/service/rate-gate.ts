// Admits requests at the rate of their client (`beyond.md` §3.5). Runs before any other work on a request, but for the
// verification of its token where that identifies the client.
import { authenticate } from '../auth/authenticate.ts';
import { checkSource } from '../auth/check-source.ts';
import type { HttpRequest } from '../contract/http.ts';
import { type Quota, type RateGrant, rateFieldsOf } from '../contract/rate-limit.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Client } from '../observe/request-report.ts';
import type { RequestContext } from '../serve/request-context.ts';
import { answerUnauthenticated } from '../response/answer-unauthenticated.ts';
import type { AppState } from './app-state.ts';
import { findClientAddress } from './rates/client-address.ts';
import { findQuota, type RateRules } from './rates/rate-rules.ts';

/** Takes one request from a quota, which another process may keep. */
export type TakeFromQuota = (quota: Quota) => RateGrant | Promise<RateGrant>;

/** Takes a request from the quota of its client. @returns the request with the fields of its response */
export type Admit = (request: HttpRequest, client: Client) => Admitted | Promise<Admitted>;

export class RateGate {
  readonly #state: AppState;
  readonly #take: TakeFromQuota;

  constructor(state: AppState, take: TakeFromQuota) {
    this.#state = state;
    this.#take = take;
  }

  /** Undefined if no rate is limited. Answers at once if it can, so that requests that arrive together stay together. */
  get admit(): Admit | undefined {
    const { rates } = this.#state;
    return rates && ((request, client) => this.#admit(rates, request, client));
  }

  #admit(rules: RateRules, request: HttpRequest, client: Client): Admitted | Promise<Admitted> {
    const context = this.#state.snapshot(undefined, request);
    if (isFree(request, context)) return ok(request);
    const keys = rules.needsIdentity ? this.#state.awaitKeys(request) : undefined;
    const take = (): Admitted | Promise<Admitted> => this.#takeFor(request, client, { rules, context });
    return keys === undefined ? take() : keys.then(take);
  }

  #takeFor(request: HttpRequest, client: Client, { rules, context }: Found): Admitted | Promise<Admitted> {
    // An invalid token is rejected later.
    const identity = rules.needsIdentity ? authenticate(request, context.auth) : undefined;
    const address = findClientAddress(client.address, request.headers, rules.proxies);
    const hash = (text: string): string => context.hash([new TextEncoder().encode(text)]);
    const quota = findQuota(rules, identity?.ok === true ? identity.value : undefined, { address, hash });
    if (quota === undefined) return ok(request);
    const grant = this.#take(quota);
    return grant instanceof Promise
      ? grant.then((later) => answerGrant(request, quota, later))
      : answerGrant(request, quota, grant);
  }
}

interface Found {
  readonly rules: RateRules;
  readonly context: RequestContext;
}

export type Admitted = Result<HttpRequest, ApiError>;

function answerGrant(request: HttpRequest, { limit }: Quota, grant: RateGrant): Admitted {
  if (!grant.isGranted) return fail({ kind: 'rateExceeded', limit, grant });
  return ok({ ...request, rateFields: rateFieldsOf(limit, grant) });
}

/** Preflights and files of the explorer take no work; pages that are not allowed must not use up a quota. */
function isFree(request: HttpRequest, context: RequestContext): boolean {
  return (
    answerUnauthenticated(request, context.edge, context.explorer) !== undefined ||
    checkSource(request, context.config.serverAllowedHosts) !== undefined
  );
}

// Admits requests at the rate of their client (`beyond.md` §3.5). Runs before any other work on a request, but for the
// verification of its token where that identifies the client.
import { authenticate, type Identity } from '../auth/authenticate.ts';
import { checkSource } from '../auth/check-source.ts';
import type { HttpRequest } from '../contract/http.ts';
import { type Quota, type RateGrant, rateFieldsOf } from '../contract/rate-limit.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Client } from '../observe/request-report.ts';
import { edgeSettingsOf, type RequestContext } from '../request-context.ts';
import { answerUnauthenticated } from '../response/answer-unauthenticated.ts';
import type { AppState } from './app-state.ts';
import { findClientAddress } from './rates/client-address.ts';
import { findQuota, type RateRules } from './rates/rate-rules.ts';

/** Takes one request from a quota, which another process may keep. */
export type TakeFromQuota = (quota: Quota) => RateGrant | Promise<RateGrant>;

export class RateGate {
  readonly #state: AppState;
  readonly #take: TakeFromQuota;

  constructor(state: AppState, take: TakeFromQuota) {
    this.#state = state;
    this.#take = take;
  }

  /** Undefined if no rate is limited. */
  get admit(): ((request: HttpRequest, client: Client) => Promise<Result<HttpRequest, ApiError>>) | undefined {
    const { rates } = this.#state;
    return rates && ((request, client) => this.#admit(rates, request, client));
  }

  async #admit(rules: RateRules, request: HttpRequest, client: Client): Promise<Result<HttpRequest, ApiError>> {
    const context = this.#state.snapshot(undefined, request.mount?.basePath);
    if (isFree(request, context)) return ok(request);
    const identity = rules.needsIdentity ? await this.#identify(request, context) : undefined;
    const address = findClientAddress(client.address, request.headers, rules.proxies);
    const hash = (text: string): string => context.hash([new TextEncoder().encode(text)]);
    const quota = findQuota(rules, identity, { address, hash });
    if (quota === undefined) return ok(request);
    const grant = await this.#take(quota);
    if (!grant.isGranted) return fail({ kind: 'rateExceeded', limit: quota.limit, grant });
    return ok({ ...request, rateFields: rateFieldsOf(quota.limit, grant) });
  }

  /** @returns undefined for an invalid token, which is rejected later: such requests count for their address */
  async #identify(request: HttpRequest, { auth }: RequestContext): Promise<Identity | undefined> {
    await this.#state.awaitKeys(request);
    const identity = authenticate(request.headers, auth, request.mount?.session);
    return identity.ok ? identity.value : undefined;
  }
}

/** Preflights and files of the explorer take no work; pages that are not allowed must not use up a quota. */
function isFree(request: HttpRequest, context: RequestContext): boolean {
  return (
    answerUnauthenticated(request, edgeSettingsOf(context), context.explorer) !== undefined ||
    checkSource(request, context.config.serverAllowedHosts) !== undefined
  );
}

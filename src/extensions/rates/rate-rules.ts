// Decides which quota a request counts against (`beyond.md` §3.5).
import type { Identity } from '../../auth/authenticate.ts';
import { parseRolePath, resolveRole, type RolePath } from '../../auth/role-path.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { RoleRateLimit, SettingsByRole } from '../../config/resolve/role-settings.ts';
import type { Quota, RateLimit } from '../../contract/rate-limit.ts';
import { parseJsonObject } from '../../util/json-object.ts';
import { type TrustedProxies, trustProxies } from './client-address.ts';

export interface RateRules {
  readonly limit: RateLimit | undefined;
  readonly roles: ReadonlyMap<string, RoleRateLimit>;
  readonly by: 'role' | 'address' | RolePath;
  readonly proxies: TrustedProxies;
  /** Whether the quota depends on the identity of the client, which takes the verification of its token to know. */
  readonly needsIdentity: boolean;
}

/** @returns undefined if no rate is limited */
export function compileRateRules(config: AppConfig, settings: SettingsByRole): RateRules | undefined {
  if (!config.extensions.rates) return undefined;
  const roles = new Map<string, RoleRateLimit>();
  for (const [role, { rateLimit }] of settings) if (rateLimit !== undefined) roles.set(role, rateLimit);
  const { serverRateLimit: limit, serverRateLimitBy, serverTrustedProxies } = config;
  if (limit === undefined && ![...roles.values()].some((roleLimit) => roleLimit !== 'none')) return undefined;
  const by = compileKey(serverRateLimitBy);
  return {
    limit,
    roles,
    by,
    proxies: trustProxies(serverTrustedProxies),
    needsIdentity: by !== 'address' || roles.size > 0,
  };
}

/** Cannot throw for a valid configuration. */
function compileKey(key: AppConfig['serverRateLimitBy']): RateRules['by'] {
  if (key === 'role' || key === 'address') return key;
  const path = parseRolePath(key.slice('claim:'.length));
  if (!path.ok) throw new Error(path.error);
  return path.value;
}

/**
 * @param identity undefined if it is not needed, or if the token is invalid
 * @param address of the client
 * @param hash shortens text of any length
 * @returns undefined if the role has no limit
 */
export function findQuota(
  rules: RateRules,
  identity: Identity | undefined,
  address: string,
  hash: (text: string) => string,
): Quota | undefined {
  const own = identity && rules.roles.get(identity.role);
  const limit = own ?? rules.limit;
  if (limit === undefined || limit === 'none') return undefined;
  const client = findKey(rules, identity) ?? `address ${address}`;
  const key = own === undefined ? client : `${client} as ${identity?.role}`;
  return { key: key.length > MAX_KEY_LENGTH ? hash(key) : key, limit };
}

const MAX_KEY_LENGTH = 100;

/** @returns undefined if the address identifies the client */
function findKey({ by }: RateRules, identity: Identity | undefined): string | undefined {
  if (by === 'address' || identity === undefined) return undefined;
  const claim = by === 'role' ? undefined : resolveRole(by, parseJsonObject(identity.claimsText) ?? {});
  if (claim !== undefined) return `claim ${claim}`;
  // Strangers without a token must not use up each other's quota.
  return by === 'role' || !identity.isAnonymous ? `role ${identity.role}` : undefined;
}

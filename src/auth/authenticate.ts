// Resolves the identity that a request acts under, from its headers or from the session of the embedding program
// (`operating.md` §3.1, §3.5). This is the first stage and needs nothing else, so that a bad token is rejected whatever
// else the request contains.
import { firstHeader, type HeaderList } from '../contract/http.ts';
import type { ApiError, DatabaseReport } from '../errors/api-error.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { readCookieToken, type Sender, type TokenCookie } from './cookie-token.ts';
import { type ClaimsExpectation, renderClaims, validateClaims } from './claims.ts';
import { parseJsonObject } from '../util/json-object.ts';
import { resolveRole, type RolePath } from './role-path.ts';
import type { VerifiedToken } from './verify-jwt.ts';

export interface Identity {
  /** Name of the database role to impersonate, taken literally. */
  readonly role: string;
  /** JSON object for the setting `request.jwt.claims`. */
  readonly claimsText: string;
  /** Whether the role is the anonymous one, however it was chosen: decides 401 or 403 on missing privileges. */
  readonly isAnonymous: boolean;
}

export interface AuthOptions extends ClaimsExpectation {
  readonly verifyToken: (token: string) => Result<VerifiedToken, ApiError>;
  readonly rolePath: RolePath;
  readonly anonymousRole: string | undefined;
  /** Undefined: tokens come in the header `Authorization` only. */
  readonly cookie: TokenCookie | undefined;
}

const NO_TOKEN: VerifiedToken = { claims: {}, text: '{}' };

/**
 * @param sender whose session, if the embedding program has opened one, replaces the token: it has been verified
 *
 * Errors: those of `verifyToken`, `validateClaims` and `readCookieToken`, `anonymousDisabled`, and `database` for a role
 * that cannot exist.
 */
export function authenticate(sender: Sender, options: AuthOptions): Result<Identity, ApiError> {
  const { headers, mount } = sender;
  const session = mount?.session;
  if (typeof session === 'object') {
    const { role, claimsText: text } = session;
    return identify({ claims: parseJsonObject(text) ?? {}, text }, options, role);
  }
  let tokenText = session === undefined ? findToken(headers) : undefined;
  if (options.cookie !== undefined && tokenText === undefined) {
    const found = readCookieToken(sender, options.cookie);
    if (!found.ok) return found;
    tokenText = found.value;
  }
  if (tokenText === undefined) {
    const identity = identifyOnce(NO_TOKEN, options);
    const isDisabled = !identity.ok && identity.error.kind === 'anonymousDisabled';
    return isDisabled && isSchemeMissing(headers)
      ? fail({ kind: 'anonymousDisabled', isSchemeMissing: true })
      : identity;
  }
  const token = options.verifyToken(tokenText);
  if (!token.ok) return token;
  const valid = validateClaims(token.value.claims, options);
  return valid.ok ? identifyOnce(token.value, options) : valid;
}

/** Returns the token that decides who sends the request; undefined if there is none, or it does not count. */
export function findSentToken(sender: Sender, cookie: TokenCookie | undefined): string | undefined {
  if (sender.mount?.session !== undefined) return undefined;
  const token = findToken(sender.headers);
  if (cookie === undefined || token !== undefined) return token;
  const found = readCookieToken(sender, cookie);
  return found.ok ? found.value : undefined;
}

/** Returns `''` for a bearer scheme without a token, which is an error, and undefined if there is no bearer scheme. */
export function findToken(headers: HeaderList): string | undefined {
  const credentials = firstHeader(headers, 'authorization') ?? '';
  const scheme = /^bearer(?:[ \t]+|$)/iu.exec(credentials)?.[0];
  return scheme === undefined ? undefined : credentials.slice(scheme.length);
}

/** Whether the header contains a token without a scheme: the request then counts as one without a token. */
export function isSchemeMissing(headers: HeaderList): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/u.test(firstHeader(headers, 'authorization') ?? '');
}

/** No role can have this name: `SET ROLE none` returns to the login role, which nobody may impersonate. */
const NO_ROLE = 'none';

/** The report that PostgreSQL gives for any other role that does not exist. */
const NO_ROLE_REPORT: DatabaseReport = {
  sqlstate: '22023',
  message: `role "${NO_ROLE}" does not exist`,
  detail: undefined,
  hint: undefined,
};

/** Finding the role and rendering the claims takes longer than finding the verified token again. */
const IDENTITIES: WeakMap<VerifiedToken, KnownIdentity> = new WeakMap();

interface KnownIdentity {
  readonly options: AuthOptions;
  readonly identity: Result<Identity, ApiError>;
}

/** @param options the same object for all requests under one configuration */
function identifyOnce(token: VerifiedToken, options: AuthOptions): Result<Identity, ApiError> {
  const known = IDENTITIES.get(token);
  if (known?.options === options) return known.identity;
  const identity = identify(token, options, resolveRole(options.rolePath, token.claims));
  IDENTITIES.set(token, { options, identity });
  return identity;
}

function identify(
  token: VerifiedToken,
  { anonymousRole }: AuthOptions,
  givenRole: string | undefined,
): Result<Identity, ApiError> {
  const role = givenRole ?? anonymousRole;
  if (role === undefined) return fail({ kind: 'anonymousDisabled' });
  if (role === NO_ROLE) return fail({ kind: 'database', report: NO_ROLE_REPORT });
  return ok({ role, claimsText: renderClaims(token, role), isAnonymous: role === anonymousRole });
}

/** Returns who sent a request; undefined if that cannot be told. The status of a missing privilege depends on it. */
export function findIdentity(sender: Sender, options: AuthOptions): Identity | undefined {
  const identity = authenticate(sender, options);
  return identity.ok ? identity.value : undefined;
}

import { describe, expect, it } from 'vitest';
import { authenticate, type AuthOptions } from '../../src/auth/authenticate.ts';
import { parseRolePath } from '../../src/auth/role-path.ts';
import { verifyJwt } from '../../src/auth/verify-jwt.ts';
import type { HeaderList } from '../../src/contract/http.ts';
import { keysOf, SECRET, token } from './sign-token.ts';

const NOW = 1_800_000_000;
const keys = keysOf(SECRET);

function optionsOf(changes: Partial<AuthOptions> = {}, path = '$.role'): AuthOptions {
  const rolePath = parseRolePath(path);
  if (!rolePath.ok) throw new Error(rolePath.error);
  return {
    verifyToken: (text) => verifyJwt(text, keys),
    now: NOW,
    audience: undefined,
    issuer: undefined,
    rolePath: rolePath.value,
    anonymousRole: 'visitor',
    cookie: undefined,
    ...changes,
  };
}

/** Authenticates a request with this `Authorization` header. */
function withHeader(value: string, options: AuthOptions = optionsOf()): ReturnType<typeof authenticate> {
  return withHeaders([['authorization', value]], options);
}

function withHeaders(headers: HeaderList, options: AuthOptions = optionsOf()): ReturnType<typeof authenticate> {
  return authenticate({ method: 'GET', headers }, options);
}

function withClaims(claims: object, options?: AuthOptions): ReturnType<typeof authenticate> {
  return withHeader(`Bearer ${token(claims)}`, options);
}

const anonymous = { ok: true, value: { role: 'visitor', claimsText: '{"role":"visitor"}', isAnonymous: true } };
const clerk = { ok: true, value: { role: 'clerk', claimsText: '{"role":"clerk"}', isAnonymous: false } };
const anonymousDisabled = { ok: false, error: { kind: 'anonymousDisabled' } };
const emptyToken = {
  ok: false,
  error: { kind: 'tokenInvalid', message: 'Empty JWT is sent in Authorization header', details: undefined },
};

describe('finding the token', () => {
  it.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR   ', 'Bearer \t '])('O65 takes the token after %j', (scheme) => {
    expect(withHeader(scheme + token({ role: 'clerk' }))).toEqual(clerk);
  });

  it.each(['Basic d2ViOnBhc3M=', `Token ${token({})}`, `Bearer${token({})}`, token({}), ''])(
    'O65 finds no token in %j',
    (value) => {
      expect(withHeader(value)).toEqual(anonymous);
    },
  );

  it.each(['Bearer', 'bearer ', 'Bearer   '])('O68 rejects the empty token in %j', (value) => {
    expect(withHeader(value)).toEqual(emptyToken);
  });

  it('uses only the first header', () => {
    const good = ['authorization', `Bearer ${token({ role: 'clerk' })}`] as const;
    const basic = ['authorization', 'Basic d2ViOnBhc3M='] as const;
    expect(withHeaders([['host', 'x'], good, basic], optionsOf())).toEqual(clerk);
    expect(withHeaders([basic, good], optionsOf())).toEqual(anonymous);
  });

  it('takes the rest of the header: a second word makes the token invalid', () => {
    const result = withHeader(`Bearer ${token({})} x`);
    expect(!result.ok && result.error).toEqual({
      kind: 'tokenInvalid',
      message: 'JWT cryptographic operation failed',
      details: undefined,
    });
  });
});

describe('without a secret', () => {
  const options = optionsOf({ verifyToken: (text) => verifyJwt(text, undefined) });

  it('O67 a request without a token is anonymous', () => {
    expect(withHeaders([], options)).toEqual(anonymous);
  });

  it('O66 rejects any token', () => {
    const secretMissing = { ok: false, error: { kind: 'secretMissing' } };
    expect(withClaims({ role: 'clerk' }, options)).toEqual(secretMissing);
    expect(withHeader('Bearer', options)).toEqual(secretMissing);
  });
});

describe('the role', () => {
  it('O91 is the claim role; all claims are kept', () => {
    expect(withClaims({ role: 'Ops Clerk', team: 7 })).toEqual({
      ok: true,
      value: { role: 'Ops Clerk', claimsText: '{"role":"Ops Clerk","team":7}', isAnonymous: false },
    });
  });

  it('O92 is required if there is no anonymous role', () => {
    const options = optionsOf({ anonymousRole: undefined });
    expect(withHeaders([], options)).toEqual(anonymousDisabled);
    expect(withClaims({ sub: 'x' }, options)).toEqual(anonymousDisabled);
    expect(withClaims({ role: 'clerk' }, options)).toEqual(clerk);
  });

  it('O93 is the anonymous role for a token without a role', () => {
    expect(withClaims({ sub: 'x' })).toEqual({
      ok: true,
      value: { role: 'visitor', claimsText: '{"sub":"x","role":"visitor"}', isAnonymous: true },
    });
    expect(withClaims({})).toEqual(anonymous);
  });

  it('O94 may be the anonymous role by name', () => {
    expect(withClaims({ role: 'visitor' })).toEqual(anonymous);
  });

  it('O95 is the text of any JSON value', () => {
    const results = [5, null, ''].map((role) => withClaims({ role }));
    expect(results.map((result) => result.ok && [result.value.role, result.value.claimsText])).toEqual([
      ['5', '{"role":"5"}'],
      ['null', '{"role":"null"}'],
      ['', '{"role":""}'],
    ]);
  });

  it.each([{ role: 'none' }, {}])(
    'W271 is unknown if it is none, which PostgreSQL reads as the login role: %j',
    (claims) => {
      expect(withClaims(claims, optionsOf({ anonymousRole: 'none' }))).toEqual({
        ok: false,
        error: {
          kind: 'database',
          report: { sqlstate: '22023', message: 'role "none" does not exist', detail: undefined, hint: undefined },
        },
      });
    },
  );

  it('O113 from another path replaces a claim of that name', () => {
    const claims = { role: 'other', duty: 'clerk' };
    expect(withClaims(claims, optionsOf({}, '.duty'))).toEqual({
      ok: true,
      value: { role: 'clerk', claimsText: '{"duty":"clerk","role":"clerk"}', isAnonymous: false },
    });
  });

  it('is looked up in empty claims without a token', () => {
    expect(withHeaders([], optionsOf({}, '$'))).toEqual({
      ok: true,
      value: { role: '{}', claimsText: '{"role":"{}"}', isAnonymous: false },
    });
  });
});

function claimsInvalid(message: string): object {
  return { ok: false, error: { kind: 'claimsInvalid', message } };
}

it('checks the claims before the role', () => {
  const options = optionsOf({ anonymousRole: undefined, audience: 'quay' });
  expect(withClaims({ exp: NOW - 31 }, options)).toEqual(claimsInvalid('JWT expired'));
  expect(withClaims({ aud: 'pier' }, options)).toEqual(claimsInvalid('JWT not in audience'));
  expect(withClaims({ aud: 'quay', exp: NOW - 30 }, options)).toEqual(anonymousDisabled);
});

// Signing in, and the cookies of a session.
import test from 'node:test';
import assert from 'node:assert/strict';
import { openProject } from 'rowhouse/testing';

const project = await openProject();
const PASSWORD = 'tea and plums';

/** The names and values of the cookies that a response sets. */
function cookiesOf({ headers }) {
  return Object.fromEntries(headers.getSetCookie().map((cookie) => cookie.split(';')[0].split('=')));
}

test(
  'a person signs up, signs in, stays signed in, and signs out',
  project.test(async (as) => {
    await as.owner`delete from private.signing_key; insert into private.signing_key values ('a key of this test')`;
    const signedUp = await as.nobody.rpc('sign_up', { name: 'dora', password: PASSWORD });
    assert.deepEqual([signedUp.status, signedUp.body], [200, 'dora']);
    const signedIn = await as.nobody.rpc('log_in', { name: 'dora', password: PASSWORD });
    const { session, renewal } = cookiesOf(signedIn);
    const claims = JSON.parse(Buffer.from(session.split('.')[1], 'base64url').toString());
    assert.deepEqual([claims.role, claims.sub], ['web_user', 'dora']);

    const headers = { Cookie: `renewal=${renewal}` };
    const renewed = await as.nobody.rpc('renew', {}, { headers });
    assert.deepEqual([renewed.body, Object.keys(cookiesOf(renewed))], ['dora', ['session']]);
    await as.nobody.rpc('log_out', {}, { headers });
    assert.equal((await as.nobody.rpc('renew', {}, { headers })).body, null);
  }),
);

test(
  'cookies are out of reach for scripts and other sites, and need HTTPS but on this machine',
  project.test(async (as) => {
    await as.owner`delete from private.signing_key; insert into private.signing_key values ('a key of this test')`;
    const signIn = async (origin) => {
      const options = { headers: { Origin: origin } };
      return (await as.nobody.rpc('log_in', { name: 'ann', password: PASSWORD }, options)).headers.getSetCookie();
    };
    for (const cookie of await signIn('https://tasks.example.com'))
      assert.match(cookie, /; HttpOnly; SameSite=Strict; Secure$/);
    for (const cookie of await signIn('http://localhost:5173')) assert.match(cookie, /; HttpOnly; SameSite=Strict$/);
    for (const cookie of await signIn('http://localhost.example.com')) assert.match(cookie, /; Secure$/);
  }),
);

test(
  'who guesses passwords is stopped',
  project.test(async (as) => {
    const guess = async (name) => (await as.nobody.rpc('log_in', { name, password: 'guess' })).status;
    assert.equal(await guess('ann'), 401);
    assert.equal(await guess('nobody'), 401);
    await as.owner`update private.attempts set count = 20`;
    assert.equal(await guess('ann'), 429);
    assert.equal((await as.nobody.rpc('sign_up', { name: 'ann', password: PASSWORD })).status, 409);
    assert.equal((await as.nobody.rpc('sign_up', { name: 'Ann Smith', password: PASSWORD })).status, 400);
  }),
);

// Who is signed in: the functions of schema/2_login.sql. Their cookies are out of reach for this page.

let isSignedIn = false;

/** Calls a function that returns the name of the person. Throws its message if it refuses. */
export async function call(
  name: 'log_in' | 'log_out' | 'renew' | 'sign_up',
  body: object = {},
): Promise<string | null> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`/api/rpc/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => 'The server does not answer.');
  if (!response.ok) throw new Error(typeof answer === 'string' ? answer : answer.message);
  isSignedIn = answer !== null;
  return answer;
}

/** Sets the cookie with the token again. The connection calls this first, and whenever the token has expired. */
export async function renew(): Promise<undefined> {
  const wasSignedIn = isSignedIn;
  if ((await call('renew')) !== null) return;
  if (!wasSignedIn) throw new Error('Nobody is signed in.');
  // The session has ended, perhaps in another tab: the page begins again, and asks to sign in.
  location.reload();
}

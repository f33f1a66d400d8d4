// Shows the API as a role: signs a token with the key of the server, or leaves the token for the role without one.
import type { ServerError } from '../client/server-error.ts';
import { signToken } from '../client/sign-token.ts';
import type { Store } from '../store/store.ts';
import { nowSeconds } from '../ui/clock.ts';
import { reportAcceptance } from './report-acceptance.ts';

export interface ViewedRole {
  readonly role: string;
  /** Further claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: string;
}

/** @returns why the server refuses the token; the current one then stays */
export async function viewAsRole(store: Store, { role, claims, key }: ViewedRole): Promise<ServerError | undefined> {
  const token = await signToken({ ...claims, role }, key, nowSeconds.peek());
  const refusal = await store.tryToken(token);
  if (refusal !== undefined) return refusal;
  store.setSigningKey(key);
  store.setToken(token);
  void reportAcceptance(store);
  return undefined;
}

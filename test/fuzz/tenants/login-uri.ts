// The address for the role that impersonates the tenants' roles.
import { LOGIN } from './tenant-schema.ts';

export function loginUri(uri: string): string {
  return Object.assign(new URL(uri), { username: LOGIN, password: '' }).href;
}

// Asks the access routes of `rowhouse dev` without a server.
import { ACCESS_PATHS } from '../../../src/contract/access-document.ts';
import { createConfigReader } from '../../../src/service/configuration/read-config.ts';
import { createAccessRoutes } from '../../../tools/access/access-routes.ts';
import type { Client } from '../../../src/observe/request-report.ts';
import type { HttpRequest } from '../../../src/contract/http.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { signToken } from '../../../tools/token/issue-token.ts';

const KEY = 'the key of one start of rowhouse dev, with many bytes';

export const now = (): number => Math.floor(Date.now() / 1000);

export function accessToken(claims: Readonly<Record<string, unknown>> = {}, key: string = KEY): string {
  return signToken({ purpose: 'access', exp: now() + 60, ...claims }, key);
}

export interface Asked {
  readonly path?: keyof typeof ACCESS_PATHS;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly body?: unknown;
}

export type Asking = (asked: Asked) => Promise<{ readonly status: number; readonly body: unknown } | ApiError>;

/** Returns the response of a route, or its error. */
export function createAsking(options: Readonly<Record<string, string>>, inspectUri?: string): Asking {
  const environment = Object.fromEntries(
    Object.entries(options).map(([name, value]): readonly [string, string] => [
      `SVC_${name.replaceAll('-', '_').toUpperCase()}`,
      value,
    ]),
  );
  const config = createConfigReader({ file: undefined, environment })(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  const routes = createAccessRoutes({ key: KEY, config: () => config.value, environment: {}, inspectUri });
  return async (asked: Asked) => {
    const { path = 'row', method = 'POST', headers = {}, address = '127.0.0.1', body = {} } = asked;
    const all = { host: 'localhost:3000', authorization: `Bearer ${accessToken()}`, ...headers };
    const request: HttpRequest = {
      method,
      path: ACCESS_PATHS[path],
      rawQuery: '',
      headers: Object.entries(all),
      body: Buffer.from(JSON.stringify(body)),
    };
    const client: Client = { address, httpVersion: '1.1' };
    const answer = await routes.find((one) => one.admits(request, client))?.answer(request, client);
    if (answer === undefined) throw new Error('no such route');
    if (!answer.ok) return answer.error;
    const { status, body: bytes } = answer.value;
    return { status, body: JSON.parse(Buffer.from(bytes as Uint8Array).toString()) };
  };
}

// Requests to the server: its URL, the headers of all requests, and the token.
import { LiveError } from './live-error.ts';

export type Token = string | undefined | (() => string | undefined | Promise<string | undefined>);

export interface ApiOptions {
  /** Where the API is, such as `https://api.example.com` or `/api`. */
  readonly url: string;
  /** A function is asked when the first request is sent, and again when a token has expired or was refused. */
  readonly token?: Token;
  /** For all requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global `fetch`, for example to send cookies to another site. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Parses an event, an object whose rows watchers get as this function returns them. Default: `JSON.parse`. */
  readonly parse?: ((json: string) => unknown) | undefined;
}

export class Api {
  readonly #options: ApiOptions;
  #token: Promise<string | undefined> | undefined;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  get isTokenRenewable(): boolean {
    return typeof this.#options.token === 'function';
  }

  parse(json: string): unknown {
    return (this.#options.parse ?? JSON.parse)(json);
  }

  /** Resolves at once, unless the token has to be asked for. */
  prepare(): Promise<string | undefined> {
    const { token } = this.#options;
    return (this.#token ??= Promise.resolve()
      .then(() => (typeof token === 'function' ? token() : token))
      .catch((cause: unknown) => {
        this.forgetToken();
        throw new LiveError('`token` failed', { cause, code: 'token' });
      }));
  }

  /** The next request asks for another token. */
  forgetToken(): void {
    this.#token = undefined;
  }

  /** As `fetch`, with a path of the API. A token that is refused is asked for again, once. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const asked = this.prepare();
    const response = await this.#request(path, init, await asked);
    if (response.status !== 401 || !this.isTokenRenewable) return response;
    // Another request may have asked for a new one already.
    if (this.#token === asked) this.forgetToken();
    const token = await this.prepare();
    init.signal?.throwIfAborted();
    await response.body?.cancel();
    return this.#request(path, init, token);
  }

  #request(path: string, init: RequestInit, token: string | undefined): Promise<Response> {
    const { url, headers: common, fetch: send = fetch } = this.#options;
    const headers = new Headers(common);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    for (const [name, value] of new Headers(init.headers)) headers[name === 'prefer' ? 'append' : 'set'](name, value);
    return send(url.replace(/\/+$/u, '') + path, { ...init, headers });
  }
}

// Serves the API under a path of a host application. Each request gets a handler that knows where it is mounted. Once the
// limits admit the request, it asks the application to authenticate it.
import type { HttpRequest, HttpResponse, Mount, MountSession } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import type { HttpHandler } from '../exchange/http-handler.ts';
import type { Admit } from '../../serve/extension.ts';
import type { LimitName } from '../limits/limits.ts';
import type { UnsentBytes } from '../limits/unsent-bytes.ts';

/** The client of a request, as the host application has authenticated it. */
export interface HostSession {
  /** Database role of the request. The login role must be a member of it, as for the role of a token. */
  readonly role: string;
  /**
   * Content of `request.jwt.claims` in SQL, with `role` added: plain data that `JSON.stringify` accepts. Default: none.
   */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns undefined for an anonymous request. */
export type Authenticate<Incoming> = (request: Incoming) => HostSession | undefined | Promise<HostSession | undefined>;

export interface HandlerOptions<Incoming> {
  /** Public path under which the API is mounted, without a trailing slash: `/api`. Other paths get status 404. */
  readonly basePath?: string | undefined;
  /**
   * Returns the client of the request, from a session of the application; tokens are then ignored. Undefined means an
   * anonymous request, like one without a token. If it throws or rejects, the response has status 500 and the code
   * `SVCX01`, and the log contains the reason.
   */
  readonly authenticate?: Authenticate<Incoming> | undefined;
}

/** Dependencies of a handler. */
export interface HandlerParts<Options> {
  readonly options: Options | undefined;
  /** Called when a limit rejects a request. */
  readonly onLimit: (name: LimitName) => void;
  /** Shared by all handlers of the process. */
  readonly unsent: UnsentBytes;
}

export interface MountPoint<Incoming> extends HandlerOptions<Incoming> {
  readonly basePath: string;
  /** See `Mount`. */
  readonly origin: string;
  /** Path below the root of the server. */
  readonly path: string;
}

export const BODY_TAKEN: ApiError = {
  kind: 'hostFailed',
  message: 'The body of the request was read before the API received it',
  hint: 'Mount the API before middleware that reads bodies, such as express.json()',
};

const SESSION_FAILED: ApiError = {
  kind: 'hostFailed',
  message: 'The application could not authenticate the request',
  hint: undefined,
};

export function mountHandler<Incoming>(
  inner: HttpHandler,
  incoming: Incoming,
  { basePath, origin, path, authenticate }: MountPoint<Incoming>,
): HttpHandler {
  const isInside = path === basePath || path.startsWith(`${basePath}/`);
  const place = (request: HttpRequest, session: Mount['session']): HttpRequest => ({
    ...request,
    path: isInside ? path.slice(basePath.length) || '/' : path,
    mount: { basePath, origin, isBare: basePath !== '' && path === basePath, session },
  });
  const refuse: HttpHandler['refuse'] = (request, client, error) =>
    inner.refuse(place(request, 'anonymous'), client, error);
  let session: Promise<OpenedSession> | undefined;
  const open = (): Promise<OpenedSession> => (session ??= openSession(incoming, authenticate));
  const enter = async (request: HttpRequest, client: Client): Promise<Result<HttpRequest, HttpResponse>> => {
    if (!isInside) return fail(refuse(request, client, { kind: 'invalidPath', path: '' }));
    const opened = await open();
    if (opened.ok) return ok(place(request, opened.value));
    inner.onCrash(opened.error);
    return fail(refuse(request, client, SESSION_FAILED));
  };
  return {
    refuse,
    refuseConnection: (error) => inner.refuseConnection(error),
    onCrash: (error) => inner.onCrash(error),
    onConnectionError: (error) => inner.onConnectionError(error),
    admit: inner.admit && isInside ? admitMounted(inner.admit, open, place) : undefined,
    mayArrive: inner.mayArrive,
    handle: async (request, client, signal) => {
      const entered = await enter(request, client);
      return entered.ok ? inner.handle(entered.value, client, signal) : entered.error;
    },
    check: async (request, client) => {
      const entered = await enter(request, client);
      return entered.ok ? inner.check(entered.value, client) : entered;
    },
  };
}

/** Leaves it to `handle` to reject a request that the application cannot authenticate. */
function admitMounted(
  admit: Admit,
  open: () => Promise<OpenedSession>,
  place: (request: HttpRequest, session: Mount['session']) => HttpRequest,
): Admit {
  return async (request, client) => {
    const opened = await open();
    return opened.ok ? admit(place(request, opened.value), client) : ok(request);
  };
}

/** Throws if the API cannot be mounted under the path. */
export function checkBasePath(basePath: string): void {
  if (/^(?:\/[\w!$%&'()*+,.:;=@~-]+)*$/u.test(basePath)) return;
  throw new Error(`basePath begins with a slash and ends without one, as in /api: ${JSON.stringify(basePath)}`);
}

/** The error is the value that the application threw. */
type OpenedSession = Result<Mount['session'], unknown>;

async function openSession<Incoming>(
  incoming: Incoming,
  authenticate: Authenticate<Incoming> | undefined,
): Promise<OpenedSession> {
  if (authenticate === undefined) return ok(undefined);
  try {
    const session = await authenticate(incoming);
    return ok(session ? encodeSession(session) : 'anonymous');
  } catch (error) {
    return fail(error);
  }
}

/** Checks at runtime, since untyped applications can return any value. */
function encodeSession({ role, claims = {} }: HostSession): MountSession {
  if (typeof role !== 'string') throw new TypeError('authenticate returned a session without a role');
  const claimsText = JSON.stringify(claims) as string | undefined;
  if (claimsText?.startsWith('{') !== true) throw new TypeError('authenticate returned claims that are not an object');
  return { role, claimsText };
}

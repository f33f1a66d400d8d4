// The API under a path of somebody else's server → the same API as if it had one of its own. Each request gets a handler of
// its own, which knows where it is mounted and asks the program who sends it, once, when the limits allow the request.
import type { HttpRequest, HttpResponse, Mount, MountSession } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import type { HttpHandler } from '../exchange/http-handler.ts';
import type { LimitName } from '../limits/limits.ts';
import type { UnsentBytes } from '../limits/unsent-bytes.ts';

/** Who asks, as the program around the API knows it. */
export interface HostSession {
  /** Database role of the request; the login role must be a member, as for the role of a token. */
  readonly role: string;
  /** What SQL reads as `request.jwt.claims`, with `role` added: plain data, as `JSON.stringify` writes it. Default: none. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** Undefined: the request is anonymous. */
export type Authenticate<Incoming> = (request: Incoming) => HostSession | undefined | Promise<HostSession | undefined>;

export interface HandlerOptions<Incoming> {
  /** Public path under which the API is mounted, without a slash at the end: `/api`. What is outside is answered 404. */
  readonly basePath?: string | undefined;
  /**
   * Tells who sends the request, from a session of the program's own; tokens then count for nothing. Undefined: the request
   * is anonymous, as one without a token. If it throws or rejects, the answer is 500 with the code `SVCX01`, and the log
   * has the reason.
   */
  readonly authenticate?: Authenticate<Incoming> | undefined;
}

/** What a handler for requests of one kind is made of. */
export interface HandlerParts<Options> {
  readonly options: Options | undefined;
  /** A request has been refused by a limit. */
  readonly onLimit: (name: LimitName) => void;
  /** Counts for all handlers of the process. */
  readonly unsent: UnsentBytes;
}

export interface MountPoint<Incoming> extends HandlerOptions<Incoming> {
  readonly basePath: string;
  /** As `Mount` has it. */
  readonly origin: string;
  /** Below the root of the server. */
  readonly path: string;
}

export const BODY_TAKEN: ApiError = {
  kind: 'hostFailed',
  message: 'The body of the request had been read before the API got it',
  hint: 'Mount the API before what reads bodies, such as express.json()',
};

const SESSION_FAILED: ApiError = {
  kind: 'hostFailed',
  message: 'The application could not tell who sends the request',
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
  const enter = async (request: HttpRequest, client: Client): Promise<Result<HttpRequest, HttpResponse>> => {
    if (!isInside) return fail(refuse(request, client, { kind: 'invalidPath' }));
    const opened = await (session ??= openSession(incoming, authenticate));
    if (opened.ok) return ok(place(request, opened.value));
    inner.onCrash(opened.error);
    return fail(refuse(request, client, SESSION_FAILED));
  };
  return {
    ...inner,
    refuse,
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

/** Throws for a path under which nothing can be mounted. */
export function checkBasePath(basePath: string): void {
  if (/^(?:\/[\w!$%&'()*+,.:;=@~-]+)*$/u.test(basePath)) return;
  throw new Error(`basePath begins with a slash and ends without one, as in /api: ${JSON.stringify(basePath)}`);
}

/** The error is whatever the program threw. */
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

/** Programs without types can give anything. */
function encodeSession({ role, claims = {} }: HostSession): MountSession {
  if (typeof role !== 'string') throw new TypeError('authenticate gave a session without a role');
  const claimsText = JSON.stringify(claims) as string | undefined;
  if (claimsText?.startsWith('{') !== true) throw new TypeError('authenticate gave claims that are no object');
  return { role, claimsText };
}

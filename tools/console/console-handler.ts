// The SQL console of `rowhouse dev`.
import { createHash, timingSafeEqual } from 'node:crypto';
import { authenticate, type Identity } from '../../src/auth/authenticate.ts';
import { firstHeader, type HttpRequest, type HttpResponse } from '../../src/contract/http.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { describeError } from '../../src/errors/render-error.ts';
import type { CancelSignal } from '../../src/contract/cancel-signal.ts';
import type { Client } from '../../src/observe/request-report.ts';
import { errorContextOf, type RequestContext, scriptContextOf } from '../../src/serve/request-context.ts';
import { resolveProfile } from '../../src/request/profile.ts';
import type { Service } from '../../src/service/service.ts';
import { renderPreRequest } from '../../src/sql/render-script.ts';
import { renderSettings } from '../../src/sql/text/settings.ts';
import type { ExtraRoute } from '../../src/http/exchange/extra-routes.ts';
import { executeRun, MAX_ROWS, TIMEOUT_MS } from './execute-run.ts';
import { type ConsoleRun, readRun } from './read-run.ts';

const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/iu;
const MAX_CONCURRENT = 4;
/** Returns to the login role. */
const LOGIN: Identity = { role: 'none', claimsText: '{}', isAnonymous: false };

export interface ConsoleOptions {
  readonly key: string;
  /** Connection string of the runs that are not those of a request; undefined for the login role of the server. */
  readonly ownerUri: string | undefined;
}

export function createConsoleRoute(service: Service, options: ConsoleOptions): ExtraRoute {
  let running = 0;
  return {
    admits: (request, client) => isAdmitted(request, client, options.key),
    async answer(request, _client, signal) {
      const contentType = firstHeader(request.headers, 'content-type') ?? '';
      if (!JSON_TYPE.test(contentType)) return fail({ kind: 'contentTypeUnsupported', contentType });
      if (running >= MAX_CONCURRENT)
        return ok(respond({ kind: 'problem', message: 'Four runs are already in progress.' }));
      running += 1;
      try {
        const answer = await answerRun(request, service, options.ownerUri, signal);
        return answer.ok ? ok(respond(answer.value)) : answer;
      } finally {
        running -= 1;
      }
    },
  };
}

/** The error is one of the request, before any statement has run. */
async function answerRun(
  request: HttpRequest,
  service: Service,
  ownerUri: string | undefined,
  signal: CancelSignal | undefined,
): Promise<Result<object, ApiError>> {
  const run = readRun(new TextDecoder().decode(request.body));
  if (!run.ok) return ok({ kind: 'problem', message: run.error.message, at: run.error.start });
  const context = service.serving.state.snapshot();
  const identity = run.value.as === 'login' ? ok(LOGIN) : authenticate(request, context.auth);
  if (!identity.ok) return identity;
  const preparation = prepare(request, run.value, identity.value, context);
  if (!preparation.ok) return preparation;
  const isOwner = run.value.as === 'login' && ownerUri !== undefined;
  const connection = isOwner
    ? { ...service.serving.connection, connectionString: ownerUri }
    : service.serving.connection;
  const environment = { connection, preparation: preparation.value, signal };
  const outcome = await executeRun(run.value, environment);
  if (outcome.ok) {
    if (outcome.value.results.some(({ command }) => command !== undefined && !PLAIN.test(command)))
      await service.reloadSchemaCache();
    return ok({ kind: 'done', ...outcome.value, maxRows: MAX_ROWS });
  }
  const { code, message, details, hint } = describeError(outcome.error.error, errorContextOf(context, undefined));
  return ok({ kind: 'failed', code, message, details, hint, at: outcome.error.at });
}

/** The settings of a request: a policy or a function sees the same as in one. */
function prepare(
  request: HttpRequest,
  run: ConsoleRun,
  identity: Identity,
  context: RequestContext,
): Result<readonly Statement[], ApiError> {
  const profile = resolveProfile('POST', request.headers, context.config.dbSchemas);
  if (!profile.ok) return profile;
  const headers = request.headers.filter(([name]) => name !== KEY_HEADER);
  const sender = scriptContextOf({ ...request, headers }, identity, context);
  const action = {
    schema: profile.value.schema,
    timezone: undefined,
    ownSettings: [['statement_timeout', String(TIMEOUT_MS)]] as const,
    access: run.access,
  };
  const isRequest = run.as === 'role' && sender.preRequest !== undefined;
  return ok([renderSettings(action, sender), ...(isRequest ? [renderPreRequest(sender.preRequest)] : [])]);
}

/** Statements that certainly leave the schema as it is. */
const PLAIN = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|EXPLAIN|SHOW|SET|RESET|VALUES|LOCK|ANALYZE)\b/u;

/** Has no CORS headers: no other origin may read it. */
function respond(document: object): HttpResponse {
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ] as const;
  return { status: 200, headers, body: new TextEncoder().encode(JSON.stringify(document)) };
}

const CONSOLE_PATH = '/explorer/sql';
/** Browsers do not send this header without a preflight, which the console does not answer. */
const KEY_HEADER = 'console-key';

/** Names of this machine. A page of another site has another name, even if that resolves to loopback. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/u;
/** A proxy adds them. What it forwards may come from elsewhere. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether the explorer of this server, opened on this machine with the key of the banner, has sent the request. Any
 * other request gets the response for an unknown path, so that nobody can probe for the console.
 */
function isAdmitted({ method, path, rawQuery, headers }: HttpRequest, client: Client, key: string): boolean {
  if (path !== CONSOLE_PATH || method !== 'POST' || rawQuery !== '') return false;
  if (client.address === undefined || !LOOPBACK_ADDRESS.test(client.address)) return false;
  if (FORWARDED.some((name) => firstHeader(headers, name) !== undefined)) return false;
  const host = firstHeader(headers, 'host') ?? '';
  // Browsers send the origin with every POST. Its port tells apart the pages of other programs on this machine.
  if (!LOOPBACK_HOST.test(host) || firstHeader(headers, 'origin') !== `http://${host}`) return false;
  const site = firstHeader(headers, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  return isKey(firstHeader(headers, KEY_HEADER) ?? '', key);
}

/** Takes the same time for every wrong key. */
function isKey(given: string, key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}

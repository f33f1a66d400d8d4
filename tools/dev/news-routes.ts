// The routes with which the explorer of `rowhouse dev` follows the saves of a project, and answers questions about them.
// Reading needs no token: any program on this machine can read the API and the files. Answering does.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { DEV_PATHS, type SaveAnswer } from '../../src/contract/dev-news.ts';
import type { HttpRequest, HttpResponse } from '../../src/contract/http.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { ExtraRoute } from '../../src/http/exchange/extra-routes.ts';
import { loadVerificationKeys } from '../../src/service/tokens/jwt-keys.ts';
import { decodeUtf8, parseJsonObject } from '../../src/util/json-object.ts';
import { checkAccess, checkOwnPage, LOOPBACK_NAMES } from '../access/access-guard.ts';
import type { ExplorerNews } from './explorer-news.ts';

export interface NewsOptions {
  /** The key that `rowhouse dev` printed; undefined: there are no routes. */
  readonly key: string | undefined;
  readonly config: () => Pick<AppConfig, 'serverHost'>;
  readonly news: ExplorerNews;
}

export function createNewsRoutes({ key, config, news }: NewsOptions): readonly ExtraRoute[] {
  const keys = key === undefined ? undefined : loadVerificationKeys(Buffer.from(key));
  if (keys?.ok !== true) return [];
  const hosts = (): readonly string[] => [...LOOPBACK_NAMES, config().serverHost];
  return [
    {
      admits: ({ path }) => path === DEV_PATHS.news,
      answer(request, client) {
        const refusal = checkOwnPage(request, client, hosts()) ?? checkMethod(request);
        return Promise.resolve(refusal === undefined ? openNews(news) : fail(refusal));
      },
    },
    {
      admits: ({ path }) => path === DEV_PATHS.ask,
      answer(request, client) {
        const refusal = checkAccess(request, client, { hosts: hosts(), keys: keys.value });
        if (refusal !== undefined) return Promise.resolve(fail(refusal));
        news.onAskAgain();
        return Promise.resolve(ok({ status: 204, headers: [] }));
      },
    },
    {
      admits: ({ path }) => path === DEV_PATHS.answer,
      answer(request, client) {
        const refusal = checkAccess(request, client, { hosts: hosts(), keys: keys.value });
        return Promise.resolve(refusal === undefined ? takeAnswer(request, news) : fail(refusal));
      },
    },
  ];
}

function checkMethod({ method }: HttpRequest): ApiError | undefined {
  return method === 'GET' ? undefined : { kind: 'methodUnsupported', method };
}

function openNews(news: ExplorerNews): Result<HttpResponse, ApiError> {
  const body = news.open();
  if (body === undefined) return fail({ kind: 'overloaded', details: 'Too many pages are open', option: undefined });
  return ok({ status: 200, headers: headersOf('text/event-stream'), body });
}

function takeAnswer({ body }: HttpRequest, news: ExplorerNews): Result<HttpResponse, ApiError> {
  const answer = parseAnswer(body);
  if (answer === undefined)
    return fail({ kind: 'invalidBody', message: 'The body must be a JSON object with the members id and answer' });
  const isAccepted = news.answer(answer);
  const headers = headersOf('application/json; charset=utf-8');
  return ok({ status: 200, headers, body: Buffer.from(JSON.stringify({ isAccepted })) });
}

function parseAnswer(body: Uint8Array): SaveAnswer | undefined {
  const { id, answer } = parseJsonObject(decodeUtf8(body) ?? '') ?? {};
  return typeof id === 'string' && typeof answer === 'boolean' ? { id, answer } : undefined;
}

function headersOf(contentType: string): HttpResponse['headers'] {
  return [
    ['Content-Type', contentType],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
}

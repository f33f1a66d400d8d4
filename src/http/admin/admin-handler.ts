// Handles the endpoints of the admin server: health, metrics, status, schema cache and a page (`operating.md` §8), for
// any request method.
import type { ExplorerFiles } from '../../contract/explorer-file.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../contract/http.ts';
import { PRODUCT } from '../../contract/product.ts';
import { fail } from '../../contract/result.ts';
import type { StatusDocument } from '../../contract/status-document.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { answerExplorer } from '../../response/explorer-response.ts';
import type { HttpHandler } from '../exchange/http-handler.ts';

export interface AdminFacts {
  /** Whether the API server accepts connections. */
  readonly isLive: () => boolean;
  readonly isReady: () => Promise<boolean>;
  readonly renderMetrics: () => Promise<string>;
  readonly dumpSchemaCache: () => string | undefined;
  readonly describeStatus: () => Promise<StatusDocument>;
  /** Files of the admin page; undefined if it is disabled. */
  readonly findPage: () => ExplorerFiles | undefined;
  /** @returns the response to a request for a host, or from a page, that is not allowed */
  readonly refuseSource: (request: HttpRequest) => HttpResponse | undefined;
  readonly onCrash: (error: unknown) => void;
  readonly onConnectionError: (error: Error) => void;
}

export function createAdminHandler(facts: AdminFacts): HttpHandler {
  return {
    handle: (request) => answer(request, facts),
    // Requests to the admin server have no bodies.
    check: () => Promise.resolve(fail(respond(413))),
    refuse: (_request, _client, error) => respond(statusOf(error)),
    refuseConnection: (error) => respond(statusOf(error)),
    onCrash: facts.onCrash,
    onConnectionError: facts.onConnectionError,
  };
}

async function answer(request: HttpRequest, facts: AdminFacts): Promise<HttpResponse> {
  switch (request.path) {
    // Health checks may use any host name, since they reveal nothing else.
    case '/live':
      return respond(facts.isLive() ? 200 : 500);
    case '/ready':
      if (!(await facts.isReady())) return respond(503);
      return respond(facts.isLive() ? 200 : 500);
    default:
      return facts.refuseSource(request) ?? answerAllowed(request, facts);
  }
}

async function answerAllowed(request: HttpRequest, facts: AdminFacts): Promise<HttpResponse> {
  switch (request.path) {
    case '/metrics':
      return respond(200, { type: 'text/plain; charset=utf-8', text: await facts.renderMetrics() });
    case '/schema_cache': {
      const text = facts.dumpSchemaCache();
      return respond(200, text === undefined ? undefined : { ...JSON_TYPE, text });
    }
    case '/status':
      return respond(200, { ...JSON_TYPE, text: JSON.stringify(await facts.describeStatus()) });
    default:
      return servePage(request, facts.findPage()) ?? respond(404);
  }
}

function servePage(request: HttpRequest, files: ExplorerFiles | undefined): HttpResponse | undefined {
  const page = files && answerExplorer(request, files, 'admin.html');
  return page && { ...page, headers: [...page.headers, SERVER] };
}

function statusOf(error: ApiError): number {
  if (error.kind === 'limitExceeded') return error.status;
  return error.kind === 'overloaded' ? 503 : 500;
}

const SERVER = ['Server', `${PRODUCT.token}/${PRODUCT.version}`] as const;
const JSON_TYPE = { type: 'application/json; charset=utf-8' };

function respond(status: number, content?: { readonly type: string; readonly text: string }): HttpResponse {
  const type: HeaderList = content === undefined ? [] : [['Content-Type', content.type]];
  return { status, headers: [...type, SERVER], body: new TextEncoder().encode(content?.text ?? '') };
}

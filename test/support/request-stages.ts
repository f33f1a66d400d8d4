// Turns the text of a request into its transaction script by the pure stages alone, without a database.
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { HttpRequest } from '../../src/contract/http.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { runSlices } from '../../src/util/slices.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { planRequest } from '../../src/plan/plan-request.ts';
import type { ApiRequest } from '../../src/request/api-request.ts';
import { parseHead, readPayload, type RequestSettings } from '../../src/request/parse-request.ts';
import {
  planContextOf,
  requestSettingsOf,
  scriptContextOf,
  type RequestContext,
} from '../../src/serve/request-context.ts';
import { compileSeams } from '../../src/serve/extension.ts';
import { EXTENSIONS } from '../../src/server/extensions.ts';
import { prepareRows, renderScript } from '../../src/sql/render-script.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';

export interface Stages {
  readonly cache: SchemaCache;
  readonly config: AppConfig;
  /** Body of the request. */
  readonly body?: string | undefined;
  /** Role that the script runs as. */
  readonly role?: string;
}

const ROLE = 'web_anon';

/** @param line for example `GET /boats?id=eq.1`; characters that a URL must escape may be written plainly */
export function renderRequest(
  line: string,
  headers: Readonly<Record<string, string>>,
  stages: Stages,
): Result<TransactionScript, ApiError> {
  const context = contextOf(stages);
  const request = { ...toRequest(line, headers), body: new TextEncoder().encode(stages.body) };
  const parsed = parseWhole(request, context.settings);
  if (!parsed.ok) return parsed;
  const planned = planRequest(parsed.value, planContextOf(context, stages.cache));
  if (!planned.ok) return planned;
  const action = planned.value;
  if (action.kind === 'info' || action.kind === 'page' || action.kind === 'describe')
    return fail({ kind: 'rootDisabled' });
  const identity = { role: stages.role ?? ROLE, claimsText: '{}', isAnonymous: true };
  return ok(renderScript(prepareRows(action, context), scriptContextOf(request, identity, context)));
}

/** Parses a request whose body has already arrived. */
export function parseWhole(request: HttpRequest, settings: RequestSettings): Result<ApiRequest, ApiError> {
  const head = parseHead(request, settings);
  if (!head.ok) return head;
  const payload = runSlices(readPayload(request, head.value, settings));
  return payload.ok ? ok({ ...head.value, payload: payload.value }) : payload;
}

export function toRequest(line: string, headers: Readonly<Record<string, string>>): HttpRequest {
  const [method, url] = splitOnce(line, ' ');
  const [path, rawQuery] = splitOnce(url, '?');
  const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { method, path, rawQuery, headers: lines, body: new Uint8Array() };
}

function splitOnce(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Builds only the parts of the context that the stages up to the SQL use. */
export function contextOf(stages: Stages): RequestContext {
  const dialect = SVC_DIALECT;
  const seams = compileSeams(EXTENSIONS, { dialect, config: stages.config });
  const settings = requestSettingsOf({ dialect, config: stages.config, seams });
  const known = { ...stages, seams, settings, product: PRODUCT, dialect, auth: {}, roleSettings: new Map() };
  return known as unknown as RequestContext;
}

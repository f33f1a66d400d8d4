// A completed request as the logs see it, and its lines: access log, SQL log, warnings (`operating.md` §10.2-§10.5).
import { firstHeader, type HttpRequest, type HttpResponse } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RenderedError } from '../errors/render-error.ts';
import type { LegacyName } from '../plan/levels/select-tree.ts';
import { renderRenames } from '../response/warning-header.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import { escapeQuoted } from './escape-text.ts';

/** The client, as far as the server knows it. */
export interface Client {
  /** Undefined for Unix sockets and if the service is mounted in another server. */
  readonly address: string | undefined;
  /** `1.1` */
  readonly httpVersion: string;
}

export interface RequestReport {
  readonly request: HttpRequest;
  readonly client: Client;
  readonly status: number;
  /** Size of the body; undefined if there is none. */
  readonly bytes: number | undefined;
  readonly role: string | undefined;
  readonly failure: Failure | undefined;
  readonly script: TransactionScript | undefined;
  readonly legacyNames: readonly LegacyName[];
  /** From the arrival of the request to its response. */
  readonly milliseconds: number;
}

/** @param time formatted by `LogClock` */
export function renderAccessLine(report: RequestReport, time: string): string {
  const { request, client, status, bytes, role } = report;
  const line = `"${escapeQuoted(`${request.method} ${renderTarget(request)}`)} HTTP/${client.httpVersion}"`;
  const referer = escapeQuoted(firstHeader(request.headers, 'referer') ?? '');
  const userAgent = escapeQuoted(firstHeader(request.headers, 'user-agent') ?? '');
  const who = `${client.address ?? '-'} - ${role === undefined ? '-' : escapeQuoted(role)}`;
  return `${who} [${time}] ${line} ${status} ${bytes ?? '-'} "${referer}" "${userAgent}"`;
}

/** Returns path and query as received; they are escaped when a line is written. */
export function renderTarget({ path, rawQuery, hasEmptyQuery }: HttpRequest): string {
  return rawQuery === '' && hasEmptyQuery !== true ? path : `${path}?${rawQuery}`;
}

/** Lists the statements in execution order, each on one line, without values. */
export function renderStatements(script: TransactionScript): readonly string[] {
  return script.segments
    .flatMap(({ settings, preRequest, main, plannedCount }) => [settings, preRequest, main, plannedCount])
    .flatMap((statement) => (statement === undefined ? [] : [statement.text.replaceAll(/\s+/gu, ' ').trim()]));
}

/** Warns about aliased embeds that were addressed by their target name (`reading.md` §12.5). */
export function renderLegacyLines({ request, legacyNames }: RequestReport): readonly string[] {
  return [
    'WARNING: Embedded resource was referenced by relation name even though it has an alias. ' +
      'This is deprecated and will stop working in a future release.',
    `Update filters, orders or limits that use ${renderRenames(legacyNames)} in \`${request.method} ${renderTarget(request)}\``,
  ];
}

/** The response and the facts about its origin that are logged. */
export interface HandledRequest {
  readonly kind: 'preflight' | 'request';
  readonly response: HttpResponse;
  /** Effective role; undefined if none was determined. */
  readonly role: string | undefined;
  readonly failure: Failure | undefined;
  /** The transaction, if one was run. */
  readonly script: TransactionScript | undefined;
  /** Embeds that were addressed by a deprecated name. */
  readonly legacyNames: readonly LegacyName[];
}

/** Of a request that is answered without reading the database, and not logged. */
export const NO_LOG_DETAILS = { role: undefined, failure: undefined, script: undefined, legacyNames: [] } as const;

/** An error in both forms: as rendered for the client and as raised. */
export interface Failure extends RenderedError {
  readonly error: ApiError;
}

// Renders log lines as JSON, one object per line, for log collectors (`log-format`).
import type { LogLevel } from '../config/table/app-config.ts';
import { firstHeader } from '../contract/http.ts';
import { renderLegacyWarning } from '../response/warning-header.ts';
import { escapeLine } from './escape-text.ts';
import { renderTarget, type RequestReport } from './request-report.ts';

export interface JsonLine {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly level: LogLevel;
  readonly event: string;
  readonly message: string;
}

export interface JsonReportContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly level: LogLevel;
  /** The request header that contains the request ID. */
  readonly traceHeader: string | undefined;
  readonly newRequestId: () => string;
  /** Empty: statements are not logged. */
  readonly statements: readonly string[];
}

export function renderJsonLine({ now, level, event, message }: JsonLine): string {
  return renderLine({ time: new Date(now).toISOString(), level, event, message });
}

export function renderJsonReport(report: RequestReport, context: JsonReportContext): string {
  const { request, client, status, failure, legacyNames } = report;
  const target = renderTarget(request);
  const given =
    context.traceHeader === undefined
      ? undefined
      : firstHeader(report.request.headers, context.traceHeader.toLowerCase());
  return renderLine({
    time: new Date(context.now).toISOString(),
    level: context.level,
    event: 'request',
    message: `${request.method} ${target} ${status}`,
    requestId: given === undefined || given === '' ? context.newRequestId() : given,
    client: client.address,
    role: report.role,
    method: request.method,
    path: target,
    httpVersion: client.httpVersion,
    status,
    bytes: report.bytes,
    durationMs: Math.round(report.milliseconds * 1000) / 1000,
    referer: firstHeader(request.headers, 'referer'),
    userAgent: firstHeader(request.headers, 'user-agent'),
    code: failure?.code,
    error: failure && { message: failure.message, details: failure.details, hint: failure.hint },
    warning: legacyNames.length === 0 ? undefined : renderLegacyWarning(legacyNames),
    sql: context.statements.length === 0 ? undefined : context.statements,
  });
}

/** JSON.stringify escapes only the C0 control characters. */
function renderLine(members: object): string {
  return escapeLine(JSON.stringify(members));
}

// Writes observations and request reports to the logs in the configured format (`operating.md` §10). Lines below the
// configured level cost one comparison: their text is never built.
import type { AppConfig, LogLevel } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { Product } from '../contract/product.ts';
import { type ApiError, isConnectionFailure } from '../errors/api-error.ts';
import { describeError, type RenderedError, renderErrorBody } from '../errors/render-error.ts';
import { describeObservation, type Description, type MessageContext } from './describe-observation.ts';
import { escapeLine } from './escape-text.ts';
import { renderJsonLine, renderJsonReport } from './json-lines.ts';
import type { Observation } from './observation.ts';
import {
  type Failure,
  renderAccessLine,
  renderLegacyLines,
  renderStatements,
  type RequestReport,
} from './request-report.ts';

export type LogSettings = Pick<AppConfig, 'logFormat' | 'logLevel' | 'logQuery' | 'serverTraceHeader'>;

/** Receives lines without line terminators. */
export interface LogOutput {
  writeOut(line: string): void;
  writeError(line: string): void;
}

export interface LoggerParts {
  readonly product: Product;
  readonly dialect: Dialect;
  readonly output: LogOutput;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Generates an identifier for a request without one. */
  readonly newRequestId: () => string;
  /** Runs `write` at once or, during a burst, once for all calls that follow. */
  readonly debounce: (write: () => void) => void;
}

const LOWEST_STATUSES = [200, 400, 500];

export class Logger {
  readonly #parts: LoggerParts;
  readonly #context: MessageContext;
  readonly #clock = new LogClock();
  readonly #poolTimeoutCode: string;
  readonly #followers: ((isDebug: boolean) => void)[] = [];
  #settings: LogSettings;
  /** Whether client mistakes are logged. */
  hasHints: boolean = false;
  /** Observations that are not logged, because a command reports them itself. */
  hidden: ReadonlySet<Observation['kind']> = new Set();
  /** Requests with a lower status are logged only if they use deprecated names. */
  lowestLoggedStatus: number = 0;

  constructor(settings: LogSettings, parts: LoggerParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.apply(settings);
    this.#poolTimeoutCode = `${parts.dialect.errorPrefix}003`;
    const { product, dialect } = parts;
    const context = { product, dialect, verbosity: 'verbose', isAnonymous: false, retryAfter: 0 } as const;
    this.#context = { product, describeError: (error) => describeError(error, context) };
  }

  apply(settings: LogSettings): void {
    this.#settings = settings;
    this.hasHints = this.#parts.dialect.hasHints && this.isLogged('warn');
    this.lowestLoggedStatus = LOWEST_STATUSES.find((status) => this.isLogged(levelOfStatus(status))) ?? Infinity;
    for (const follow of this.#followers) follow(this.isLogged('debug'));
  }

  /** Tells now and after each change of the level whether events for debugging are logged. */
  followDebug(follow: (isDebug: boolean) => void): void {
    this.#followers.push(follow);
    follow(this.isLogged('debug'));
  }

  /** `operating.md` §10.1 */
  isLogged(level: LogLevel): boolean {
    // Whether lines of `level` are written if `current` is configured (`operating.md` §10.1).
    return RANKS[level] <= RANKS[this.#settings.logLevel];
  }

  readonly observe = (observation: Observation): void => {
    if (!this.hidden.has(observation.kind))
      this.#write(observation.kind, describeObservation(observation, this.#context));
  };

  /** Returns the text of the log lines. */
  describe(observation: Observation): string {
    return describeObservation(observation, this.#context).lines.join('\n');
  }

  /** Renders an error in full, as the logs do. */
  describeError(error: ApiError): RenderedError {
    return this.#context.describeError(error);
  }

  /** @returns JSON text */
  printError(error: ApiError): string {
    return renderErrorBody(this.describeError(error), 'verbose');
  }

  /** Whether a request with this status and these names would be logged. */
  concerns(status: number, legacyNames: readonly unknown[]): boolean {
    return status >= this.lowestLoggedStatus || (legacyNames.length > 0 && this.isLogged('error'));
  }

  report(answered: RequestReport): void {
    const report = this.#asLogged(answered);
    const level = levelOfStatus(report.status);
    // Statements are logged only with their request, in some dialects only if it failed (`operating.md` §10.4).
    const { lowestLoggedQueryStatus } = this.#parts.dialect;
    const isWanted =
      this.#settings.logQuery &&
      report.status >= lowestLoggedQueryStatus &&
      report.script !== undefined &&
      this.isLogged(level);
    const statements = isWanted ? renderStatements(report.script) : [];
    if (this.#settings.logFormat === 'json') return this.#writeJsonReport(report, level, statements);
    if (report.legacyNames.length > 0) this.#writeText('error', renderLegacyLines(report));
    if (report.failure !== undefined && isReportedInFull(report.failure)) this.#writeFailure(report.failure);
    this.#writeText(level, statements);
    if (this.isLogged(level)) this.#parts.output.writeOut(renderAccessLine(report, this.#time()));
  }

  /** Some dialects log a session that the database ended as a lost connection. */
  #asLogged(report: RequestReport): RequestReport {
    const error = report.failure?.error;
    const isEndedSession = error?.kind === 'database' && isConnectionFailure(error);
    if (!isEndedSession || !this.#parts.dialect.isEndedSessionLoggedAsLost) return report;
    const lost = this.describeError({ kind: 'connectionLost', details: error.report.message });
    return { ...report, failure: { ...lost, error } };
  }

  #writeJsonReport(report: RequestReport, level: LogLevel, statements: readonly string[]): void {
    const { now, newRequestId, output } = this.#parts;
    const { serverTraceHeader: traceHeader } = this.#settings;
    output.writeOut(renderJsonReport(report, { now: now(), level, traceHeader, newRequestId, statements }));
  }

  #writeFailure(failure: RenderedError): void {
    const write = (): void => this.#writeText('error', [renderErrorBody(failure, 'verbose')]);
    if (failure.code === this.#poolTimeoutCode) this.#parts.debounce(write);
    else write();
  }

  #write(event: Observation['kind'], { severity, threshold, lines }: Description): void {
    if (this.#settings.logFormat !== 'json') return this.#writeText(threshold, lines);
    if (!this.isLogged(threshold)) return;
    const message = lines.join('\n');
    this.#parts.output.writeError(renderJsonLine({ now: this.#parts.now(), level: severity, event, message }));
  }

  #writeText(threshold: LogLevel, lines: readonly string[]): void {
    if (!this.isLogged(threshold)) return;
    for (const line of lines) this.#parts.output.writeError(`${this.#time()}: ${escapeLine(line)}`);
  }

  #time(): string {
    return this.#clock.format(this.#parts.now());
  }
}

/** A missing secret is a configuration error, for which the access line suffices. */
function isReportedInFull({ status, error }: Failure): boolean {
  return status >= 500 && error.kind !== 'secretMissing';
}

const RANKS: Readonly<Record<LogLevel, number>> = { crit: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** The lowest level at which requests with this status appear in the access log. */
function levelOfStatus(status: number): LogLevel {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats local time as `06/May/2027:08:16:11 +0200`. Caches the text for one second. */
export class LogClock {
  #second = Number.NaN;
  #text = '';

  /** @param now milliseconds since the epoch */
  format(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      const date = new Date(second * 1000);
      const day = `${pad(date.getDate())}/${MONTHS[date.getMonth()]}/${date.getFullYear()}`;
      const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
      this.#text = `${day}:${time} ${formatOffset(-date.getTimezoneOffset())}`;
    }
    return this.#text;
  }
}

/** @param minutes east of UTC */
function formatOffset(minutes: number): string {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(distance / 60))}${pad(distance % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

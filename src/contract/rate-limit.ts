// The rate of requests that a client may send, and the response header fields that report it (`beyond.md` §3.5). The
// fields are those of draft-ietf-httpapi-ratelimit-headers.
import type { HeaderList } from './http.ts';

/** `requests` in each period, and up to `burst` at once after a pause. */
export interface RateLimit {
  readonly requests: number;
  readonly unit: RateUnit;
  readonly burst: number;
}

/** What tells clients apart. `claim:` is followed by a path in the syntax of `jwt-role-claim-key`. */
export type RateKey = 'role' | 'address' | `claim:${string}`;

/** The requests that a client may still send; clients are told apart by the key. */
export interface Quota {
  readonly key: string;
  readonly limit: RateLimit;
}

export type RateUnit = keyof typeof SECONDS;

/** The state of a client's quota after a request. */
export interface RateGrant {
  readonly isGranted: boolean;
  /** Further requests that the client may send at once. */
  readonly remaining: number;
  /** Whole seconds, rounded up, until the client may send one more than that. */
  readonly seconds: number;
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;
const SYNTAX = /^(?<requests>[1-9]\d{0,8})\/(?<unit>[smh])(?: +burst +(?<burst>[1-9]\d{0,8}))?$/u;

/** Parses `50/s` or `50/s burst 100`; without a burst, the requests of one period may come at once. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const { requests, unit, burst = requests } = SYNTAX.exec(text.trim())?.groups ?? {};
  return isUnit(unit) ? { requests: Number(requests), unit, burst: Number(burst) } : undefined;
}

function isUnit(text: string | undefined): text is RateUnit {
  return text !== undefined && Object.hasOwn(SECONDS, text);
}

export function printRateLimit({ requests, unit, burst }: RateLimit): string {
  return `${requests}/${unit}${burst === requests ? '' : ` burst ${burst}`}`;
}

/** Returns the milliseconds after which a client may send another request. */
export function intervalOf({ requests, unit }: RateLimit): number {
  return (SECONDS[unit] * 1000) / requests;
}

/**
 * Returns the fields of a response. The quota is the burst and the window the time that restores all of it, so that
 * quota and window together are the rate.
 */
export function rateFieldsOf(limit: RateLimit, { remaining, seconds }: RateGrant): HeaderList {
  const window = Math.ceil((limit.burst * intervalOf(limit)) / 1000);
  return [
    ['RateLimit', `"default";r=${remaining};t=${seconds}`],
    ['RateLimit-Policy', `"default";q=${limit.burst};w=${window}`],
  ];
}

// Decides whether a request may reach the SQL console of `rowhouse dev`. To any other request the console does not
// exist: it is answered like one for an unknown path, so that nobody can probe for the console.
import { createHash, timingSafeEqual } from 'node:crypto';
import { firstHeader, type HttpRequest } from '../../contract/http.ts';
import type { Client } from '../../observe/request-report.ts';

const CONSOLE_PATH = '/explorer/sql';
/** Not a header that browsers send without a preflight, which the console does not answer. */
export const KEY_HEADER = 'console-key';

/** Names of this machine. A page of another site has another name, even if that resolves to loopback. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/u;
/** A proxy adds them. What it forwards may come from elsewhere. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether the explorer of this server, opened on this machine with the key of the banner, has sent the request. */
export function isAdmitted({ method, path, rawQuery, headers }: HttpRequest, client: Client, key: string): boolean {
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

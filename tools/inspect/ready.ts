// The `--ready` check: queries the admin server of a running instance and returns what to print and the exit code
// (`operating.md` §2 item 6). Never connects to the database.
import { get } from 'node:http';
import type { AppConfig } from '../../src/config/table/app-config.ts';

export interface ReadyReport {
  readonly stream: 'stdout' | 'stderr';
  /** One line, without the newline. */
  readonly text: string;
  readonly exitCode: 0 | 1;
}

const SPECIAL_HOSTS: ReadonlySet<string> = new Set(['*', '*4', '!4', '*6', '!6']);
/** A server that takes longer counts as not ready. */
const TIMEOUT_MS = 10_000;

export async function checkReady(config: Pick<AppConfig, 'adminServerHost' | 'adminServerPort'>): Promise<ReadyReport> {
  const { adminServerHost: host, adminServerPort: port } = config;
  if (port === undefined) return failure('Admin server is not running. Please check admin-server-port config.');
  if (SPECIAL_HOSTS.has(host)) {
    return failure(
      `The \`--ready\` flag cannot be used when server-host is configured as "${host}". Please update your server-host config to "localhost".`,
    );
  }
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/ready`;
  if (!URL.canParse(url)) return failure(`invalid url - ${url}`);
  const status = await requestStatus(url);
  if (status === undefined) return failure(`connection refused to ${url}`);
  const isReady = status >= 200 && status <= 299;
  return isReady ? { stream: 'stdout', text: `OK: ${url}`, exitCode: 0 } : failure(url);
}

function failure(text: string): ReadyReport {
  return { stream: 'stderr', text: `ERROR: ${text}`, exitCode: 1 };
}

/** Returns the status of the response; undefined if there is none. */
function requestStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

// In: TLS settings of a connection. Out: the ways to try, in order, with their certificates read. Part of opening a
// connection. https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConnectionOptions, SecureVersion } from 'node:tls';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TlsSettings } from './connection-settings.ts';

/** `undefined`: without TLS. */
export type TlsAttempt = ConnectionOptions | undefined;

/** Files that libpq looks at when the settings name none. */
const DEFAULT_FOLDER = '.postgresql';

/** The error is one line for the operator. */
export async function loadTlsAttempts(
  tls: TlsSettings,
  homeFolder: string,
): Promise<Result<readonly TlsAttempt[], string>> {
  if (tls.mode === 'disable') return ok([undefined]);
  const folder = path.join(homeFolder, DEFAULT_FOLDER);
  const isSystemRoot = tls.rootCertificate === 'system';
  try {
    const ca = isSystemRoot ? undefined : await readPem(tls.rootCertificate, path.join(folder, 'root.crt'));
    const isVerified = tls.mode.startsWith('verify') || (tls.mode === 'require' && (isSystemRoot || ca !== undefined));
    if (isVerified && ca === undefined && !isSystemRoot) return fail(`sslmode=${tls.mode} needs a root certificate`);
    const options: ConnectionOptions = {
      ca,
      cert: await readPem(tls.certificate, path.join(folder, 'postgresql.crt')),
      key: await readPem(tls.key, path.join(folder, 'postgresql.key')),
      crl: await readPem(tls.revocationList, path.join(folder, 'root.crl')),
      passphrase: tls.keyPassword,
      rejectUnauthorized: isVerified,
      ...versionLimits(tls),
      // Only verify-full asks for the server's name as well.
      ...(tls.mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    };
    if (tls.mode === 'prefer') return ok([options, undefined]);
    return ok(tls.mode === 'allow' ? [undefined, options] : [options]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`a file that sslrootcert, sslcert, sslkey or sslcrl names cannot be read: ${reason}`);
  }
}

function versionLimits(tls: TlsSettings): ConnectionOptions {
  const minVersion = toSecureVersion(tls.minVersion);
  const maxVersion = toSecureVersion(tls.maxVersion);
  return { ...(minVersion && { minVersion }), ...(maxVersion && { maxVersion }) };
}

/** Both sides name the versions alike. */
function toSecureVersion(text: string | undefined): SecureVersion | undefined {
  const versions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
  return versions.find((version) => version === text);
}

/** A file named by the settings must be readable, one at the default place may be missing. */
async function readPem(named: string | undefined, byDefault: string): Promise<Buffer | undefined> {
  if (named !== undefined) return readFile(named);
  try {
    return await readFile(byDefault);
  } catch {
    return undefined;
  }
}

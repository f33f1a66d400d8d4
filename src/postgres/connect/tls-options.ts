// Loads TLS settings and certificates and returns the connection attempts to make, in order.
// https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConnectionOptions, SecureVersion } from 'node:tls';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TlsSettings } from './connection-settings.ts';

/** `undefined` connects without TLS. */
export type TlsAttempt = ConnectionOptions | undefined;

/** Directory that libpq searches if the settings name no file. */
const DEFAULT_FOLDER = '.postgresql';

/** Returns the attempts. The error is a single line for the operator. */
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
    const minVersion = toSecureVersion(tls.minVersion);
    const maxVersion = toSecureVersion(tls.maxVersion);
    const options: ConnectionOptions = {
      ca,
      cert: await readPem(tls.certificate, path.join(folder, 'postgresql.crt')),
      key: await readPem(tls.key, path.join(folder, 'postgresql.key')),
      crl: await readPem(tls.revocationList, path.join(folder, 'root.crl')),
      passphrase: tls.keyPassword,
      rejectUnauthorized: isVerified,
      ...(minVersion && { minVersion }),
      ...(maxVersion && { maxVersion }),
      // Only verify-full checks the server name.
      ...(tls.mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    };
    if (tls.mode === 'prefer') return ok([options, undefined]);
    return ok(tls.mode === 'allow' ? [undefined, options] : [options]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`cannot read a file named by sslrootcert, sslcert, sslkey or sslcrl: ${reason}`);
  }
}

/** libpq and Node use the same version names. */
function toSecureVersion(text: string | undefined): SecureVersion | undefined {
  const versions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
  return versions.find((version) => version === text);
}

/** A file named in the settings must exist; one in the default directory is optional. */
async function readPem(named: string | undefined, byDefault: string): Promise<Buffer | undefined> {
  if (named !== undefined) return readFile(named);
  try {
    return await readFile(byDefault);
  } catch {
    return undefined;
  }
}

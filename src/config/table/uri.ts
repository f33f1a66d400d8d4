// Splits a URI into its parts; returns undefined unless the text is an absolute URI of RFC 3986.

export interface UriAuthority {
  readonly userInfo: string | undefined;
  readonly host: string;
  /** Digits as written; undefined without a port or after a bare `:`. */
  readonly port: string | undefined;
}

export interface Uri {
  readonly scheme: string;
  readonly authority: UriAuthority | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

// https://www.rfc-editor.org/rfc/rfc3986#appendix-B, but the scheme is required.
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^@]*)@)?(\[[0-9A-Za-z:.]+\]|[^:@[\]]*)(?::(\d*))?$/;
// https://www.rfc-editor.org/rfc/rfc3986#appendix-A: pchar, `/` and `?`; a superset of what hosts and user info may
// contain.
const CHARACTERS = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/;

export function parseUri(text: string): Uri | undefined {
  const parts = PARTS.exec(text);
  if (parts === null) return undefined;
  const [, scheme = '', authorityText, path = '', query, fragment] = parts;
  if (![path, query ?? '', fragment ?? ''].every((part) => CHARACTERS.test(part))) return undefined;
  if (authorityText === undefined) return { scheme, authority: undefined, path, query, fragment };
  const authority = parseAuthority(authorityText);
  return authority && { scheme, authority, path, query, fragment };
}

function parseAuthority(text: string): UriAuthority | undefined {
  const parts = AUTHORITY.exec(text);
  if (parts === null) return undefined;
  const [, userInfo, host = '', port] = parts;
  if (!CHARACTERS.test(userInfo ?? '') || !(host.startsWith('[') || CHARACTERS.test(host))) return undefined;
  return { userInfo, host, port: port === '' ? undefined : port };
}

/** Accepts a public base URL: `http` or `https` with a host, no user info, query or fragment (`operating.md` §1.6). */
export function isProxyUri(text: string): boolean {
  const uri = parseUri(text);
  if (uri?.authority === undefined || uri.query !== undefined || uri.fragment !== undefined) return false;
  const { userInfo, host, port } = uri.authority;
  const hasUsablePort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return /^https?$/i.test(uri.scheme) && host !== '' && userInfo === undefined && hasUsablePort;
}

// Reads the connection string of an administrator.

/** Replaces the user of a URI. Returns undefined unless it is a PostgreSQL URI with one host. */
export function changeUser(text: string, user: string, password: string): string | undefined {
  const uri = URL.canParse(text) ? new URL(text) : undefined;
  if (uri === undefined || !/^postgres(?:ql)?:$/u.test(uri.protocol)) return undefined;
  if (uri.hostname === '') {
    // Without a host in the authority, the URI cannot hold a user there either, so both are parameters.
    const parameters = `user=${encodeURIComponent(user)}&password=${encodeURIComponent(password)}`;
    uri.search = uri.search === '' ? parameters : `${uri.search}&${parameters}`;
  } else {
    uri.username = encodeURIComponent(user);
    uri.password = encodeURIComponent(password);
  }
  return uri.href;
}

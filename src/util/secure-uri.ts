// Tells which URLs of other services can be trusted to be answered by the service they name.

/** Accepts `https`, and `http` to this machine, without credentials and fragment. */
export function isSecureUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/u.test(hostname)))
  );
}

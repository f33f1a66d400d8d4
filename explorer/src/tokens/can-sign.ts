/** Browsers provide `crypto.subtle` only over HTTPS and on localhost. */
export function canSign(): boolean {
  return isSecureContext;
}

// Text that may be no valid Unicode → what a client can send of it: a lone surrogate becomes U+FFFD.

export function toSendable(text: string): string {
  return Buffer.from(text).toString();
}

export function encode(text: string): string {
  return encodeURIComponent(toSendable(text));
}

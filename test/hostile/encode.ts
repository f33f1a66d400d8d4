// Converts text that may be invalid Unicode to what a client can send: a lone surrogate becomes U+FFFD.

export function toSendable(text: string): string {
  return Buffer.from(text).toString();
}

export function encode(text: string): string {
  return encodeURIComponent(toSendable(text));
}

// Text as it stands in an address.
export function encodeSegment(text: string): string {
  return encodeURIComponent(text);
}

export function decodeSegment(text: string): string {
  return decodeURIComponent(text);
}

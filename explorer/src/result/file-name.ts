// Derives the name of a saved file from the request and the media type.

/** `/rpc/oldest_street?…` → `oldest_street.csv` */
export function nameFile(url: string, extension: string): string {
  const [path = ''] = url.split('?', 1);
  const name = path.split('/').at(-1) ?? '';
  return `${name.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_') || 'rows'}.${extension}`;
}

/** `image/svg+xml` → `svg`; `bin` for an unknown type. */
export function extensionOf(type: string): string {
  return /^[a-z]+\/(?:x-)?(?<name>[a-z\d]{1,5})(?:\+[a-z]+)?$/u.exec(type)?.groups?.['name'] ?? 'bin';
}

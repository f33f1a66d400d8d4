// References into the dictionaries of a document, for names with any characters.

export interface Reference {
  readonly $ref: string;
}

export function refTo(section: 'definitions' | 'parameters', key: string): Reference {
  return { $ref: `#/${section}/${/^[\w.-]*$/u.test(key) ? key : encodePointerToken(key)}` };
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-6 */
function encodePointerToken(token: string): string {
  return encodeURI(token.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23');
}

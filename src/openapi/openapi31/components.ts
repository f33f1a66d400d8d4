// References into the components of a document.

export interface Reference {
  readonly $ref: string;
  readonly description?: string;
}

export type ComponentSection = 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers';

/** @param key may contain only letters, digits, `.`, `-` and `_` */
export function refTo(section: ComponentSection, key: string): Reference {
  return { $ref: `#/components/${section}/${key}` };
}

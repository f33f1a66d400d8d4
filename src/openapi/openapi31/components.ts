// The dictionaries of a document's components, and references into them.

export interface Reference {
  readonly $ref: string;
  readonly description?: string;
}

export type ComponentSection = 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers';

/** @param key letters, digits, `.`, `-` and `_` only */
export function refTo(section: ComponentSection, key: string): Reference {
  return { $ref: `#/components/${section}/${key}` };
}

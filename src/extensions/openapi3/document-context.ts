// Facts that every part of a 3.1 document needs, computed once per document.
import type { MediaHandler } from '../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import { printMediaType } from '../../media/media-type.ts';
import type { DescriptionInput } from '../../openapi/document/description-input.ts';
import { type Reference, refTo } from './components.ts';
import { collectEnums, type EnumLabels } from './types.ts';

export interface DocumentContext {
  readonly input: DescriptionInput;
  readonly enums: EnumLabels;
  /** Custom media types by `elementKey`; those for any element under `ANY_ELEMENT`. */
  readonly mediaTypes: ReadonlyMap<string, readonly MediaHandler[]>;
  /** `application/vnd.svc.object+json` */
  readonly objectType: string;
  /** The header that selects the schema, if there are several. */
  readonly readProfile: readonly Reference[];
  readonly writeProfile: readonly Reference[];
}

export const ANY_ELEMENT = '';

export function elementKey({ schema, name }: QualifiedName): string {
  return JSON.stringify([schema, name]);
}

export function buildContext(input: DescriptionInput): DocumentContext {
  const hasProfiles = input.exposedSchemas.length > 1;
  return {
    input,
    enums: collectEnums(input),
    mediaTypes: indexMediaTypes(input.cache.mediaHandlers),
    objectType: printMediaType({ kind: 'object', stripped: false, vendor: input.dialect.mediaVendor }),
    readProfile: hasProfiles ? [refTo('parameters', 'acceptProfile')] : [],
    writeProfile: hasProfiles ? [refTo('parameters', 'contentProfile')] : [],
  };
}

function indexMediaTypes(handlers: readonly MediaHandler[]): ReadonlyMap<string, readonly MediaHandler[]> {
  const byElement = new Map<string, MediaHandler[]>();
  for (const handler of handlers) {
    const key = handler.element === undefined ? ANY_ELEMENT : elementKey(handler.element);
    const known = byElement.get(key);
    if (known === undefined) byElement.set(key, [handler]);
    else known.push(handler);
  }
  return byElement;
}

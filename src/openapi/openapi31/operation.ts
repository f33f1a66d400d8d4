// The common parts of operations on relations and functions.
import { refTo, type Reference } from './components.ts';
import type { Content } from './content.ts';
import type { Parameter, SharedParameter } from './shared-parameters.ts';

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export interface RequestBody {
  readonly description?: string | undefined;
  readonly required?: true | undefined;
  readonly content: Content;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  /** Unique in the document. */
  readonly operationId: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference | undefined;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export const CONTENT_RANGE: Readonly<Record<string, Reference>> = { 'Content-Range': refTo('headers', 'contentRange') };
export const NO_CONTENT: Reference = refTo('responses', 'NoContent');
/** The response for every status that is not listed. */
export const ERROR: Readonly<Record<'default', Reference>> = { default: refTo('responses', 'Error') };

export function shared(...keys: readonly SharedParameter[]): readonly Reference[] {
  return keys.map((key) => refTo('parameters', key));
}

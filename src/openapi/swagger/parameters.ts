// Describes the parameters: those shared by all paths, then the body and filters of each relation
// (`operating.md` §12.4).
import type { Relation } from '../../catalog/schema-cache.ts';
import { type DescriptionInput, listRelations } from '../document/description-input.ts';
import type { Member } from '../document/json-document.ts';

interface TextParameter {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required: false;
  readonly in: 'query' | 'header';
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly default?: string;
}

const RETURN_PREFERENCES = ['return=representation', 'return=minimal', 'return=none'];

const SHARED: Readonly<Record<string, TextParameter>> = {
  preferParams: header('Prefer', 'Preference'),
  preferReturn: { ...header('Prefer', 'Preference'), enum: RETURN_PREFERENCES },
  preferCount: { ...header('Prefer', 'Preference'), enum: ['count=none'] },
  preferPost: {
    ...header('Prefer', 'Preference'),
    enum: [...RETURN_PREFERENCES, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'],
  },
  select: query('select', 'Filtering Columns'),
  on_conflict: query('on_conflict', 'On Conflict'),
  order: query('order', 'Ordering'),
  range: header('Range', 'Limiting and Pagination'),
  rangeUnit: { ...header('Range-Unit', 'Limiting and Pagination'), default: 'items' },
  offset: query('offset', 'Limiting and Pagination'),
  limit: query('limit', 'Limiting and Pagination'),
};

export function bodyKey({ name }: Relation): string {
  return `body.${name.name}`;
}

export function rowFilterKey({ name }: Relation, column: string): string {
  return `rowFilter.${name.name}.${column}`;
}

export function* listParameters(input: DescriptionInput): Generator<Member> {
  yield* Object.entries(SHARED);
  for (const relation of listRelations(input)) {
    const { name } = relation.name;
    const schema = refTo('definitions', name);
    yield [bodyKey(relation), { name, description: name, required: false, in: 'body', schema }];
    for (const column of relation.columns.values()) {
      yield [rowFilterKey(relation, column.name), query(column.name, column.comment)];
    }
  }
}

function query(name: string, description: string | undefined): TextParameter {
  return { name, description, required: false, in: 'query', type: 'string' };
}

function header(name: string, description: string): TextParameter {
  return { ...query(name, description), in: 'header' };
}

export interface Reference {
  readonly $ref: string;
}

/** Refers to an entry of a dictionary of the document, whose name may contain any characters. */
export function refTo(section: 'definitions' | 'parameters', key: string): Reference {
  return { $ref: `#/${section}/${/^[\w.-]*$/u.test(key) ? key : encodePointerToken(key)}` };
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-6 */
function encodePointerToken(token: string): string {
  return encodeURI(token.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23');
}

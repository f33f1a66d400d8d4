// Describes the request bodies of relations: rows to insert, and changes to update.
import { enableExtensions } from '../../contract/extensions.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import { findRelationships, type Relation, type Relationship } from '../../catalog/schema-cache.ts';
import type { Member } from '../../openapi/document/json-document.ts';
import { FORMAT_LIST, FORMATS } from '../../media/formats.ts';
import { listPatchTypes } from '../../media/media-type.ts';
import type { DescriptionInput } from '../../openapi/document/description-input.ts';
import { componentName, type Reference, refTo } from './components.ts';
import { describeFormat, describeLines, joinContents } from './content.ts';
import type { DocumentContext } from './document-context.ts';
import type { RequestBody } from './operation.ts';
import { payloadSchema } from './schemas.ts';
import type { JsonSchema } from './types.ts';
import { listUsableRelations } from './usable-relations.ts';

/** Client generators call types after components, so no key is one of `schemas`, which end in `.insert` and `.update`. */
export function bodyOf({ name }: Relation, use: 'insert' | 'update'): Reference {
  return refTo('requestBodies', bodyKey(name.name, use));
}

function bodyKey(relation: string, use: 'insert' | 'update'): string {
  return `${componentName(relation)}.${use}Body`;
}

export function* listRequestBodies({ input }: DocumentContext): Generator<Member> {
  const related = input.extensions.nested ? new RelatedRows(input) : undefined;
  for (const relation of listUsableRelations(input)) {
    const { name, may } = relation;
    const row = payloadSchema(name.name, 'insert');
    const rows = { anyOf: [row, { type: 'array', items: row }] } as const;
    const description = related?.describe(relation);
    if (may.insert) yield [bodyKey(name.name, 'insert'), { description, ...describePayload(rows, row, input) }];
    if (may.update) yield [bodyKey(name.name, 'update'), describeUpdate(name.name, input)];
  }
}

/** Describes which related rows a body may contain (`beyond.md` §2.2). Their schemas would contain each other. */
class RelatedRows {
  readonly #input: DescriptionInput;
  readonly #insertable: ReadonlySet<string>;

  constructor(input: DescriptionInput) {
    this.#input = input;
    const insertable = [...listUsableRelations(input)].filter(({ may }) => may.insert);
    this.#insertable = new Set(insertable.map(({ name }) => name.name));
  }

  /** @returns undefined if the role may not insert into any related relation */
  describe({ name }: Relation): string | undefined {
    const names = findRelationships(this.#input.cache, name).flatMap(
      (relationship) => this.#nameOf(relationship) ?? [],
    );
    if (names.length === 0) return undefined;
    const list = [...new Set(names)].map((each) => `\`${each}\``).join(', ');
    return `With \`Prefer: nested=write\`, a POST may contain related rows under their names in \`select\`: ${list}`;
  }

  #nameOf(relationship: Relationship): string | undefined {
    if (relationship.kind === 'computed' || !this.#accepts(relationship.target)) return undefined;
    const isLinked = relationship.kind !== 'manyToMany' || this.#accepts(relationship.junction);
    return isLinked ? relationship.target.name : undefined;
  }

  #accepts({ schema, name }: QualifiedName): boolean {
    return schema === this.#input.schema && this.#insertable.has(name);
  }
}

/** The values of patches are not described: an operation may take the place of any value (`beyond.md` §2.6). */
function describeUpdate(relation: string, input: DescriptionInput): RequestBody {
  const { extensions, dialect } = input;
  const changes = payloadSchema(relation, 'update');
  const isBulk = extensions.bulk;
  const body = describePayload(isBulk ? payloadSchema(relation, 'updates') : changes, changes, {
    ...input,
    extensions: enableExtensions([]),
  });
  if (!extensions.patch) return body;
  const { merge, operations } = listPatchTypes(dialect);
  const types = [merge, ...operations.slice(0, 1)];
  const schema: JsonSchema = { type: isBulk ? ['object', 'array'] : 'object' };
  const patches = types.map((type) => ({ [type]: { schema } }));
  return { ...body, content: joinContents([body.content, ...patches]) };
}

/** A form or a line contains a single object, even if JSON bodies may contain arrays. */
function describePayload(json: JsonSchema, form: JsonSchema, input: DescriptionInput): RequestBody {
  const formats = FORMAT_LIST.filter(({ body, extensions }) => {
    const isActive = extensions?.body === undefined || input.extensions[extensions.body];
    return body !== undefined && body.kind !== 'raw' && isActive;
  });
  const content = formats.map((format) => {
    if (format.body?.kind === 'lines') return describeLines(format, form, input);
    return describeFormat(format, format === FORMATS.form ? form : json);
  });
  return { required: true, content: joinContents(content) };
}

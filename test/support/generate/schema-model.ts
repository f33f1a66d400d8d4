// Models a schema for the request generators: relations, their columns, and the text of each possible embed.
import {
  findRelation,
  findRelationships,
  type Relationship,
  type SchemaCache,
} from '../../../src/catalog/schema-cache.ts';
import { isToOne } from '../../../src/plan/levels/resolve-relationship.ts';

export interface ColumnModel {
  readonly name: string;
  readonly type: string;
}

export interface EmbedModel {
  /** For example `harbours`, `harbour_id`, `harbours!boats_harbour_id_fkey`. */
  readonly target: string;
  readonly hint: string | undefined;
  readonly isToOne: boolean;
  readonly relation: string;
}

export interface RelationModel {
  readonly name: string;
  readonly columns: readonly ColumnModel[];
  readonly embeds: readonly EmbedModel[];
}

export type SchemaModel = ReadonlyMap<string, RelationModel>;

/** Computed columns, which no catalog lists. */
const COMPUTED: Readonly<Record<string, readonly ColumnModel[]>> = {
  boats: [
    { name: 'age', type: 'integer' },
    { name: 'initial', type: 'text' },
    { name: 'count', type: 'bigint' },
  ],
  notes: [
    { name: 'terms', type: 'tsvector' },
    { name: 'shout', type: 'text' },
  ],
};

export function modelSchema(cache: SchemaCache, schema: string): SchemaModel {
  const relations = cache.relations.get(schema) ?? new Map<string, never>();
  return new Map(
    [...relations.values()].map(({ name: { name }, columns }) => {
      const known = [...columns.values()].map((column) => ({ name: column.name, type: column.type }));
      const embeds = findRelationships(cache, { schema, name })
        .filter(({ target }) => findRelation(cache, target) !== undefined)
        .flatMap(modelEmbeds);
      return [name, { name, columns: [...known, ...(COMPUTED[name] ?? [])], embeds }];
    }),
  );
}

function modelEmbeds(relationship: Relationship): readonly EmbedModel[] {
  const common = { isToOne: isToOne(relationship), relation: relationship.target.name };
  const named = (target: string, hint?: string): EmbedModel => ({ ...common, target, hint });
  switch (relationship.kind) {
    case 'computed':
      return [named(relationship.routine.name)];
    case 'manyToMany':
      return [named(relationship.target.name), named(relationship.target.name, relationship.junction.name)];
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne': {
      const { target, constraint, targetIsView } = relationship;
      const own = relationship.columns[0]?.[0] ?? constraint;
      const hinted = [named(target.name), named(target.name, constraint), named(target.name, own)];
      return targetIsView ? hinted : [...hinted, named(constraint), named(own)];
    }
  }
}

// Renders the helper types that give short names to rows, enums and composite types, and the enum labels as values.
// Names and parameters follow the conventions of the client's ecosystem.
import type { EnumType } from './pg-type.ts';
import type { TypegenContext } from './render-type.ts';
import { renderConstant, renderLiteral, renderLiteralList, type Member } from './typescript.ts';

/** @param enums by schema */
export function renderHelpers({ schemas }: TypegenContext, enums: ReadonlyMap<string, readonly EnumType[]>): string {
  const constants = schemas.map((schema): Member => {
    const labels = (enums.get(schema) ?? []).map((type): Member => ({
      name: type.name.name,
      type: renderLiteralList(type.labels),
    }));
    return { name: schema, type: renderConstant([{ name: 'Enums', type: renderConstant(labels) }]) };
  });
  return `${renderHelperTypes(schemas[0] ?? '')}
/** The labels of every enum, in order. */
export const Constants = ${renderConstant(constants)} as const;
`;
}

function renderHelperTypes(defaultSchema: string): string {
  return `type Schemas = Omit<Database, "__InternalSupabase">;
type DefaultSchema = Schemas[${renderLiteral(defaultSchema)}];
type OtherSchema = { schema: keyof Schemas };

type SchemaAt<Place> = Place extends { schema: infer Name extends keyof Schemas } ? Schemas[Name] : DefaultSchema;
type Relations<Schema extends Schemas[keyof Schemas] = DefaultSchema> = Schema["Tables"] & Schema["Views"];
type RelationsAt<Place> = Relations<SchemaAt<Place>>;
type NamesAt<Place, Entries> = Place extends OtherSchema ? keyof Entries : never;
type EntryAt<Place, Name, Entries> = Entries[(Place extends OtherSchema ? Name : Place) & keyof Entries];

/** A row of a table or view: \`Tables<"name">\`, in another schema \`Tables<{ schema: "other" }, "name">\`. */
export type Tables<
  Place extends keyof Relations | OtherSchema,
  Name extends NamesAt<Place, RelationsAt<Place>> = never,
> = EntryAt<Place, Name, RelationsAt<Place>> extends { Row: infer Row } ? Row : never;

/** The values to insert into a table or view. */
export type TablesInsert<
  Place extends keyof Relations | OtherSchema,
  Name extends NamesAt<Place, RelationsAt<Place>> = never,
> = EntryAt<Place, Name, RelationsAt<Place>> extends { Insert: infer Insert } ? Insert : never;

/** The values to update in a table or view. */
export type TablesUpdate<
  Place extends keyof Relations | OtherSchema,
  Name extends NamesAt<Place, RelationsAt<Place>> = never,
> = EntryAt<Place, Name, RelationsAt<Place>> extends { Update: infer Update } ? Update : never;

/** The labels of an enum, in the same two forms. */
export type Enums<
  Place extends keyof DefaultSchema["Enums"] | OtherSchema,
  Name extends NamesAt<Place, SchemaAt<Place>["Enums"]> = never,
> = EntryAt<Place, Name, SchemaAt<Place>["Enums"]>;

/** The fields of a composite type, in the same two forms. */
export type CompositeTypes<
  Place extends keyof DefaultSchema["CompositeTypes"] | OtherSchema,
  Name extends NamesAt<Place, SchemaAt<Place>["CompositeTypes"]> = never,
> = EntryAt<Place, Name, SchemaAt<Place>["CompositeTypes"]>;
`;
}

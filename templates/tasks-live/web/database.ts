// Types of the exposed schemas, generated from the database. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: {
    PostgrestVersion: "13";
  };
  api: {
    Tables: {
      lists: {
        Row: {
          created_at: string;
          id: string;
          name: string;
          owner: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          name: string;
          owner?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          name?: string;
          owner?: string;
        };
        Relationships: [];
      };
      members: {
        Row: {
          list_id: string;
          person: string;
        };
        Insert: {
          list_id: string;
          person: string;
        };
        Update: {
          list_id?: string;
          person?: string;
        };
        Relationships: [
          {
            foreignKeyName: "members_list_id_fkey";
            columns: ["list_id"];
            isOneToOne: false;
            referencedRelation: "lists";
            referencedColumns: ["id"];
          },
        ];
      };
      tasks: {
        Row: {
          added_by: string;
          created_at: string;
          id: string;
          is_done: boolean;
          list_id: string;
          title: string;
        };
        Insert: {
          added_by?: string;
          created_at?: string;
          id?: string;
          is_done?: boolean;
          list_id: string;
          title: string;
        };
        Update: {
          added_by?: string;
          created_at?: string;
          id?: string;
          is_done?: boolean;
          list_id?: string;
          title?: string;
        };
        Relationships: [
          {
            foreignKeyName: "tasks_list_id_fkey";
            columns: ["list_id"];
            isOneToOne: false;
            referencedRelation: "lists";
            referencedColumns: ["id"];
          },
        ];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      log_in: {
        Args: {
          name: string;
          password: string;
        };
        Returns: string;
      };
      log_out: {
        Args: never;
        Returns: undefined;
      };
      renew: {
        Args: never;
        Returns: string;
      };
      sign_up: {
        Args: {
          name: string;
          password: string;
        };
        Returns: string;
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};

type Schemas = Omit<Database, "__InternalSupabase">;
type DefaultSchema = Schemas["api"];
type OtherSchema = { schema: keyof Schemas };

type SchemaAt<Place> = Place extends { schema: infer Name extends keyof Schemas } ? Schemas[Name] : DefaultSchema;
type Relations<Schema extends Schemas[keyof Schemas] = DefaultSchema> = Schema["Tables"] & Schema["Views"];
type RelationsAt<Place> = Relations<SchemaAt<Place>>;
type NamesAt<Place, Entries> = Place extends OtherSchema ? keyof Entries : never;
type EntryAt<Place, Name, Entries> = Entries[(Place extends OtherSchema ? Name : Place) & keyof Entries];

/** A row of a table or view: `Tables<"name">`, in another schema `Tables<{ schema: "other" }, "name">`. */
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

type LinksOf<Entry> = Entry extends { Relationships: readonly (infer Link)[] } ? Link : never;
type LinkColumns<Link> = Link extends { columns: readonly (infer Column)[] } ? Column : never;
type RequiredKeys<Row> = { [Key in keyof Row]-?: { [_ in never]: never } extends Pick<Row, Key> ? never : Key }[keyof Row];
type Named<Relation, Hint> = Relation extends string ? Relation | (Hint extends string ? `${Relation}!${Hint}` : never) : never;

type ReferredBy<Link> = Link extends { foreignKeyName: infer Key; referencedRelation: infer To }
  ? { key: Named<To, Key>; relation: To; isList: false }
  : never;
type Referring<From, Link, Name> = Link extends { foreignKeyName: infer Key; referencedRelation: Name; isOneToOne: infer IsOne }
  ? { key: Named<From, Key>; relation: From; isList: IsOne extends true ? false : true }
  : never;
type Beyond<By, Link, To> = Link extends { foreignKeyName: infer Key }
  ? To extends { foreignKeyName: Key }
    ? never
    : To extends { referencedRelation: infer Far }
      ? { key: Named<Far, By>; relation: Far; isList: true }
      : never
  : never;
/** A junction's only required columns are those of its foreign keys. */
type IsJunction<Entry> = Entry extends { Insert: infer Insert }
  ? [RequiredKeys<Insert>, LinkColumns<LinksOf<Entry>>] extends [LinkColumns<LinksOf<Entry>>, RequiredKeys<Insert>] ? true : false
  : false;
type NestedLinks<Entries, Name extends keyof Entries> =
  | ReferredBy<LinksOf<Entries[Name]>>
  | {
      [From in keyof Entries]:
        | Referring<From, LinksOf<Entries[From]>, Name>
        | (IsJunction<Entries[From]> extends true
            ? Beyond<From, Extract<LinksOf<Entries[From]>, { referencedRelation: Name }>, LinksOf<Entries[From]>>
            : never);
    }[keyof Entries];

type NestedValue<Entries, Link> = Link extends { relation: infer Name extends keyof Entries; isList: infer IsList }
  ? IsList extends true ? NestedRow<Entries, Name>[] : NestedRow<Entries, Name>
  : never;
type NestedRow<Entries, Name extends keyof Entries> = Entries[Name] extends { Insert: infer Insert }
  ? Omit<Insert, LinkColumns<LinksOf<Entries[Name]>> & keyof Insert> &
      Partial<Pick<Insert, LinkColumns<LinksOf<Entries[Name]>> & keyof Insert>> &
      { [Link in NestedLinks<Entries, Name> as Exclude<Link["key"], keyof Insert>]?: NestedValue<Entries, Link> | null }
  : never;

/**
 * The values to insert with `Prefer: nested=write`: those of the row, and rows that are related to it. Foreign keys are
 * optional, because a related row may give them.
 */
export type NestedInsert<
  Place extends keyof Relations | OtherSchema,
  Name extends NamesAt<Place, RelationsAt<Place>> = never,
> = NestedRow<RelationsAt<Place>, (Place extends OtherSchema ? Name : Place) & keyof RelationsAt<Place>>;

/** The labels of every enum, in order. */
export const Constants = {
  api: {
    Enums: {},
  },
} as const;

// Types of the exposed schemas, generated from the database. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: {
    PostgrestVersion: "13";
  };
  api: {
    Tables: {
      authors: {
        Row: {
          born: string | null;
          id: number;
          mentor_id: number | null;
          name: string;
          label: string | null;
        };
        Insert: {
          born?: string | null;
          id: number;
          mentor_id?: number | null;
          name: string;
        };
        Update: {
          born?: string | null;
          id?: number;
          mentor_id?: number | null;
          name?: string;
        };
        Relationships: [
          {
            foreignKeyName: "authors_mentor_id_fkey";
            columns: ["mentor_id"];
            isOneToOne: false;
            referencedRelation: "authors";
            referencedColumns: ["id"];
          },
        ];
      };
      book_tags: {
        Row: {
          book_id: number;
          tag: string;
        };
        Insert: {
          book_id: number;
          tag: string;
        };
        Update: {
          book_id?: number;
          tag?: string;
        };
        Relationships: [
          {
            foreignKeyName: "book_tags_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: false;
            referencedRelation: "books";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "book_tags_tag_fkey";
            columns: ["tag"];
            isOneToOne: false;
            referencedRelation: "tags";
            referencedColumns: ["name"];
          },
          {
            foreignKeyName: "book_tags_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: false;
            referencedRelation: "titles";
            referencedColumns: ["id"];
          },
        ];
      };
      books: {
        Row: {
          author_id: number;
          details: Json;
          id: number;
          medium: Database["api"]["Enums"]["medium"];
          pages: number | null;
          size: Database["api"]["CompositeTypes"]["dimensions"] | null;
          title: string;
          title_length: number | null;
          translator_id: number | null;
          label: string | null;
        };
        Insert: {
          author_id: number;
          details?: Json;
          id?: number;
          medium?: Database["api"]["Enums"]["medium"];
          pages?: number | null;
          size?: Database["api"]["CompositeTypes"]["dimensions"] | null;
          title: string;
          title_length?: never;
          translator_id?: number | null;
        };
        Update: {
          author_id?: number;
          details?: Json;
          id?: number;
          medium?: Database["api"]["Enums"]["medium"];
          pages?: number | null;
          size?: Database["api"]["CompositeTypes"]["dimensions"] | null;
          title?: string;
          title_length?: never;
          translator_id?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: "books_author_id_fkey";
            columns: ["author_id"];
            isOneToOne: false;
            referencedRelation: "authors";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "books_translator_fkey";
            columns: ["translator_id"];
            isOneToOne: false;
            referencedRelation: "authors";
            referencedColumns: ["id"];
          },
        ];
      };
      summaries: {
        Row: {
          body: string;
          book_id: number;
        };
        Insert: {
          body: string;
          book_id: number;
        };
        Update: {
          body?: string;
          book_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: "summaries_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: true;
            referencedRelation: "books";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "summaries_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: true;
            referencedRelation: "titles";
            referencedColumns: ["id"];
          },
        ];
      };
      tags: {
        Row: {
          colour: string | null;
          name: string;
        };
        Insert: {
          colour?: string | null;
          name: string;
        };
        Update: {
          colour?: string | null;
          name?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      loans: {
        Row: {
          book_id: number;
          id: number;
          member_id: number;
          returned: string | null;
        };
        Insert: {
          book_id?: number;
          id?: never;
          member_id?: number;
          returned?: string | null;
        };
        Update: {
          book_id?: number;
          id?: never;
          member_id?: number;
          returned?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "loans_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: false;
            referencedRelation: "books";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "loans_member_id_fkey";
            columns: ["member_id"];
            isOneToOne: false;
            referencedRelation: "members";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "loans_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: false;
            referencedRelation: "titles";
            referencedColumns: ["id"];
          },
        ];
      };
      members: {
        Row: {
          email: string | null;
          id: number;
          name: string;
          shouted: string | null;
        };
        Insert: {
          email?: string | null;
          id?: number;
          name?: string;
          shouted?: never;
        };
        Update: {
          email?: string | null;
          id?: number;
          name?: string;
          shouted?: never;
        };
        Relationships: [];
      };
      names: {
        Row: {
          name: string | null;
        };
        Relationships: [];
      };
      numbers: {
        Row: {
          books: number | null;
          medium: Database["api"]["Enums"]["medium"] | null;
        };
        Relationships: [];
      };
      open_loans: {
        Row: {
          body: string | null;
          book_id: number;
          id: number;
          member: string;
          pages: number | null;
        };
        Relationships: [
          {
            foreignKeyName: "loans_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: false;
            referencedRelation: "books";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "loans_book_id_fkey";
            columns: ["book_id"];
            isOneToOne: false;
            referencedRelation: "titles";
            referencedColumns: ["id"];
          },
        ];
      };
      titles: {
        Row: {
          id: number | null;
          title: string | null;
        };
        Relationships: [];
      };
    };
    Functions: {
      add_all: {
        Args: {
          numbers: number[];
        };
        Returns: number;
      };
      all_titles: {
        Args: never;
        Returns: string[];
      };
      area: {
        Args: {
          size: Database["api"]["CompositeTypes"]["dimensions"];
        };
        Returns: number;
      };
      count_pages: {
        Args: never;
        Returns: number;
      };
      echo: {
        Args: { [key: string]: Json | undefined };
        Returns: Json;
      };
      favourite_medium: {
        Args: never;
        Returns: Database["api"]["Enums"]["medium"];
      };
      find_books: {
        Args: {
          words: string;
          medium?: Database["api"]["Enums"]["medium"];
        };
        Returns: Array<Omit<Database["api"]["Tables"]["books"]["Row"], "label">>;
        SetofOptions: {
          from: "*";
          to: "books";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      label: {
        Args: {
          "": Database["api"]["Tables"]["authors"]["Row"] & Database["api"]["Tables"]["books"]["Row"];
        };
        Returns: { error: true } & "Searched for the function api.label with parameter  or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.";
      };
      last_loan: {
        Args: {
          book: Database["api"]["Tables"]["books"]["Row"];
        };
        Returns: Database["api"]["Views"]["loans"]["Row"];
        SetofOptions: {
          from: "books";
          to: "loans";
          isOneToOne: true;
          isSetofReturn: true;
        };
      };
      newest_book: {
        Args: never;
        Returns: Omit<Database["api"]["Tables"]["books"]["Row"], "label">;
        SetofOptions: {
          from: "*";
          to: "books";
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      nothing: {
        Args: never;
        Returns: undefined;
      };
      open_loans_of: {
        Args: {
          member: string;
        };
        Returns: Database["api"]["Views"]["open_loans"]["Row"][];
        SetofOptions: {
          from: "*";
          to: "open_loans";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      raw: {
        Args: {
          "": string;
        };
        Returns: string;
      };
      shout:
        | {
            Args: never;
            Returns: string;
          }
        | {
            Args: {
              "": string;
            };
            Returns: string;
          };
      siblings: {
        Args: {
          "": Database["api"]["Tables"]["books"]["Row"];
        };
        Returns: Array<Omit<Database["api"]["Tables"]["books"]["Row"], "label">>;
        SetofOptions: {
          from: "books";
          to: "books";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      some_record: {
        Args: never;
        Returns: Record<string, unknown>;
      };
      statistics: {
        Args: {
          minimum?: number;
        };
        Returns: Array<{
          author: string;
          books: number;
        }>;
      };
      sum:
        | {
            Args: {
              a: number;
              b: number;
            };
            Returns: number;
          }
        | {
            Args: {
              a: string;
              b: string;
              c: string;
            };
            Returns: string;
          };
      turn: {
        Args: {
          size: Database["api"]["CompositeTypes"]["dimensions"];
        };
        Returns: Database["api"]["CompositeTypes"]["dimensions"];
      };
      unclear:
        | {
            Args: {
              a: number;
            };
            Returns: { error: true } & "Could not choose the best candidate function between: api.unclear(a => integer), api.unclear(a => text). Try renaming the parameters or the function itself in the database so function overloading can be resolved";
          }
        | {
            Args: {
              a: string;
            };
            Returns: { error: true } & "Could not choose the best candidate function between: api.unclear(a => integer), api.unclear(a => text). Try renaming the parameters or the function itself in the database so function overloading can be resolved";
          };
    };
    Enums: {
      medium: "paper" | "audio" | "film";
    };
    CompositeTypes: {
      dimensions: {
        height: number | null;
        width: number | null;
      };
    };
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
    Enums: {
      medium: ["paper", "audio", "film"],
    },
  },
} as const;

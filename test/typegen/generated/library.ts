// Types of the exposed schemas, made from the database: do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: {
    PostgrestVersion: "13";
  };
  api: {
    Tables: {
      authors: {
        Row: {
          id: number;
          name: string;
          born: string | null;
          mentor_id: number | null;
          label: string | null;
        };
        Insert: {
          id: number;
          name: string;
          born?: string | null;
          mentor_id?: number | null;
        };
        Update: {
          id?: number;
          name?: string;
          born?: string | null;
          mentor_id?: number | null;
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
          id: number;
          title: string;
          medium: Database["api"]["Enums"]["medium"];
          author_id: number;
          translator_id: number | null;
          pages: number | null;
          size: Database["api"]["CompositeTypes"]["dimensions"] | null;
          details: Json;
          title_length: number | null;
          label: string | null;
        };
        Insert: {
          id?: number;
          title: string;
          medium?: Database["api"]["Enums"]["medium"];
          author_id: number;
          translator_id?: number | null;
          pages?: number | null;
          size?: Database["api"]["CompositeTypes"]["dimensions"] | null;
          details?: Json;
          title_length?: never;
        };
        Update: {
          id?: number;
          title?: string;
          medium?: Database["api"]["Enums"]["medium"];
          author_id?: number;
          translator_id?: number | null;
          pages?: number | null;
          size?: Database["api"]["CompositeTypes"]["dimensions"] | null;
          details?: Json;
          title_length?: never;
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
          book_id: number;
          body: string;
        };
        Insert: {
          book_id: number;
          body: string;
        };
        Update: {
          book_id?: number;
          body?: string;
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
          name: string;
          colour: string | null;
        };
        Insert: {
          name: string;
          colour?: string | null;
        };
        Update: {
          name?: string;
          colour?: string | null;
        };
        Relationships: [];
      };
    };
    Views: {
      loans: {
        Row: {
          id: number;
          member_id: number;
          book_id: number;
          returned: string | null;
        };
        Insert: {
          id?: never;
          member_id?: number;
          book_id?: number;
          returned?: string | null;
        };
        Update: {
          id?: never;
          member_id?: number;
          book_id?: number;
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
          id: number;
          name: string;
          shouted: string | null;
          email: string | null;
        };
        Insert: {
          id?: number;
          name?: string;
          shouted?: never;
          email?: string | null;
        };
        Update: {
          id?: number;
          name?: string;
          shouted?: never;
          email?: string | null;
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
          medium: Database["api"]["Enums"]["medium"] | null;
          books: number | null;
        };
        Relationships: [];
      };
      open_loans: {
        Row: {
          id: number;
          book_id: number;
          member: string;
          body: string | null;
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
          numbers: number[] | null;
        };
        Returns: number | null;
      };
      all_titles: {
        Args: never;
        Returns: Array<string | null>;
      };
      area: {
        Args: {
          size: Database["api"]["CompositeTypes"]["dimensions"] | null;
        };
        Returns: number | null;
      };
      count_pages: {
        Args: never;
        Returns: number | null;
      };
      echo: {
        Args: { [key: string]: Json | undefined };
        Returns: Json | null;
      };
      find_books: {
        Args: {
          words: string | null;
          medium?: Database["api"]["Enums"]["medium"] | null;
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
        Returns: string | null;
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
          minimum?: number | null;
        };
        Returns: Array<{
          author: string | null;
          books: number | null;
        }>;
      };
      sum:
        | {
            Args: {
              a: number | null;
              b: number | null;
            };
            Returns: number | null;
          }
        | {
            Args: {
              a: string | null;
              b: string | null;
              c: string | null;
            };
            Returns: string | null;
          };
    };
    Enums: {
      medium: "paper" | "audio" | "film";
    };
    CompositeTypes: {
      dimensions: {
        width: number | null;
        height: number | null;
      };
    };
  };
};

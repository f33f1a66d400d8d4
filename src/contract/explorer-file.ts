// A file of the explorer, ready to send. Files are read once and kept in memory, so that choosing one needs no I/O.

export interface ExplorerFile {
  readonly contentType: string;
  /** Weak, and the same for every encoding. */
  readonly etag: string;
  /** Preferred encoding first; the last one, `identity`, is the file itself. */
  readonly encodings: readonly EncodedFile[];
}

export interface EncodedFile {
  readonly name: 'br' | 'gzip' | 'identity';
  readonly bytes: Uint8Array;
}

/** Keyed by path below the API's root: `index.html` is the page at `/`; its assets are below `explorer/`. */
export type ExplorerFiles = ReadonlyMap<string, ExplorerFile>;

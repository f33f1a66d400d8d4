// A file of the explorer as it is sent. The edge reads them once; which one answers is decided without I/O.

export interface ExplorerFile {
  readonly contentType: string;
  /** A weak one: the same for every encoding. */
  readonly etag: string;
  /** Most wanted first; the last one, `identity`, is the file itself. */
  readonly encodings: readonly EncodedFile[];
}

export interface EncodedFile {
  readonly name: 'br' | 'gzip' | 'identity';
  readonly bytes: Uint8Array;
}

/** By path below the API's root: `index.html` is the page at `/`, `explorer/…` what it loads. */
export type ExplorerFiles = ReadonlyMap<string, ExplorerFile>;

// A file of the explorer or its documentation, ready to send. Files are read once and kept in memory.

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

export interface ExplorerFiles {
  /** Whether the server has a SQL console, as under `rowhouse dev`. */
  readonly hasConsole?: true;
  /**
   * @param name path below the API's root: `index.html` is the page at `/`, its assets are below `explorer`, and the
   * documentation is below `explorer/docs`
   */
  get(name: string): ExplorerFile | undefined;
}

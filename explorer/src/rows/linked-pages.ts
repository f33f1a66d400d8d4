// Reads the links of a keyset page from the header `Link`.

export interface LinkedPages {
  /** Queries such as `?order=id&after=…`. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

export function readLinkedPages(header: string | undefined): LinkedPages {
  const links = new Map(
    Array.from((header ?? '').matchAll(/<(?<query>\?[^>]*)>; rel="(?<rel>\w+)"/gu), ({ groups }) => [
      groups?.['rel'],
      groups?.['query'],
    ]),
  );
  return { previous: links.get('prev'), next: links.get('next') };
}

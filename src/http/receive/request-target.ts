// Splits a request target into path and query without decoding them (RFC 9112 §3.2).

export interface RequestTarget {
  readonly path: string;
  readonly rawQuery: string;
  readonly hasEmptyQuery?: true;
}

export function parseTarget(text: string): RequestTarget {
  const target = text.startsWith('/') ? text : dropAuthority(text);
  const question = target.indexOf('?');
  if (question === -1) return { path: target, rawQuery: '' };
  const path = target.slice(0, question);
  const rawQuery = target.slice(question + 1);
  return rawQuery === '' ? { path, rawQuery, hasEmptyQuery: true } : { path, rawQuery };
}

/** Servers must also accept the absolute form (RFC 9112 §3.2.2). */
function dropAuthority(text: string): string {
  const [, rest = text] = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*(.*)$/iu.exec(text) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
}

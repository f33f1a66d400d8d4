// Renders the text that `rowhouse CONFIG` prints on a terminal once the server listens.

export interface ServeFacts {
  /** `http://localhost:3000`, or the path of a Unix socket. */
  readonly place: string;
  readonly schemas: readonly string[];
  /** The role of requests without a token; undefined if each request needs one. */
  readonly anonRole: string | undefined;
  readonly hasExplorer: boolean;
  /** Whether other machines may connect. */
  readonly isExposed: boolean;
}

export function renderServeBanner({ place, schemas, anonRole, hasExplorer, isExposed }: ServeFacts): string {
  const noun = schemas.length === 1 ? 'schema' : 'schemas';
  const access = anonRole === undefined ? 'need a token' : `without a token run as the role ${anonRole}`;
  const reach = isExposed ? '; other machines can connect (server-host)' : '';
  return [
    '',
    `  Rowhouse serves the ${noun} ${schemas.join(', ')} at ${place}${reach}.`,
    ...(hasExplorer ? [`  Explorer: open ${place}/ in a browser.`] : []),
    `  Requests ${access}.`,
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

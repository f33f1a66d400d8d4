// Renders the text that `rowhouse dev` prints once the server listens.

export interface DevFacts {
  /** `http://localhost:3000`, without a trailing slash. */
  readonly url: string;
  readonly database: string;
  readonly schemas: readonly string[];
  /** A table that requests without a token can read. */
  readonly example: string | undefined;
  readonly hasExplorer: boolean;
  /** Key with which the explorer can sign tokens, if known. */
  readonly viewAsKey: string | undefined;
  /** The role of requests without a token. */
  readonly role: string;
  readonly login: string;
  readonly isSuperuser: boolean;
  /** The role of `--inspect-uri`; undefined without it. */
  readonly inspector: string | undefined;
  /** The folder of SQL files that describes the schema, if one does. */
  readonly project?: string | undefined;
  /** How to connect to the database of a project, without a secret of the user. */
  readonly databaseUri?: string | undefined;
  /** The data folder of the embedded database; undefined for any other database. */
  readonly dataFolder: string | undefined;
  /** How the user invokes this program: `npx rowhouse`. */
  readonly command: string;
}

export function renderDevBanner(facts: DevFacts): string {
  const { url, database, schemas, example, hasExplorer, role, login, isSuperuser } = facts;
  const { viewAsKey, inspector, project, databaseUri, dataFolder, command } = facts;
  const power = role === login && isSuperuser ? ', a superuser, which bypasses all privileges and policies' : '';
  const explorer =
    viewAsKey === undefined
      ? [`  Explorer: open ${url}/ in a browser.`]
      : [
          `  Explorer: open ${url}/#key=${viewAsKey}`,
          '  in a browser. With the key after #, it can show the API as each role sees it.',
          ...(inspector === undefined
            ? []
            : [`  Its SQL page and its explanations use the role ${inspector} (--inspect-uri).`]),
        ];
  const embedded = [
    `  This is the embedded database; its data is in ${dataFolder}.`,
    `  Run your own SQL: ${command} sql FILE.sql`,
  ];
  const own = [`  Database: psql '${databaseUri}'`, `  or, in this folder: ${command} sql [FILE.sql]`];
  // In single quotes.
  const path = example === undefined ? '' : `${encodeURIComponent(example).replaceAll("'", '%27')}?limit=3`;
  const changes =
    project === undefined
      ? 'Schema changes take effect within a second or two.'
      : `Save a file in ${project}, and its changes are served.`;
  return [
    '',
    `  Rowhouse serves the database ${database} (${schemas.join(', ')}) at ${url}, on this machine only.`,
    ...(hasExplorer ? explorer : []),
    ...(dataFolder === undefined ? [] : embedded),
    ...(databaseUri === undefined ? [] : own),
    '',
    `  WARNING: requests need no token. Without one, they run as the role ${role}${power}.`,
    '  Any program on this machine can send them; web pages of other sites are refused. Do not use in production.',
    '',
    `  curl '${url}/${path}'`,
    '',
    `  ${changes} Press Ctrl-C to stop.`,
    '',
  ].join('\n');
}

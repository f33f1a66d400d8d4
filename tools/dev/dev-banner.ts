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
  const power = role === login && isSuperuser ? ', a superuser, which bypasses all privileges and policies' : '';
  return [
    '',
    `  Rowhouse serves the database ${database} (${schemas.join(', ')}) at ${url}, on this machine only.`,
    ...(hasExplorer ? describeExplorer(facts) : []),
    ...describeEmbedded(facts),
    ...describeDatabase(facts),
    '',
    `  WARNING: requests need no token. Without one, they run as the role ${role}${power}.`,
    '  Any program on this machine can send them; web pages of other sites are refused. Do not use in production.',
    '',
    `  curl '${url}/${example === undefined ? '' : `${encodeQuoted(example)}?limit=3`}'`,
    '',
    `  ${describeChanges(facts)} Press Ctrl-C to stop.`,
    '',
  ].join('\n');
}

/** Encodes a name for a URL in single quotes. */
function encodeQuoted(name: string): string {
  return encodeURIComponent(name).replaceAll("'", '%27');
}

function describeChanges({ project }: DevFacts): string {
  if (project === undefined) return 'Schema changes take effect within a second or two.';
  return `Save a file in ${project}, and its changes are served.`;
}

function describeExplorer({ url, viewAsKey, inspector }: DevFacts): readonly string[] {
  if (viewAsKey === undefined) return [`  Explorer: open ${url}/ in a browser.`];
  return [
    `  Explorer: open ${url}/#key=${viewAsKey}`,
    '  in a browser. With the key after #, it can show the API as each role sees it.',
    ...(inspector === undefined
      ? []
      : [`  Its SQL page and its explanations use the role ${inspector} (--inspect-uri).`]),
  ];
}

function describeEmbedded({ dataFolder, command }: DevFacts): readonly string[] {
  if (dataFolder === undefined) return [];
  return [
    `  This is the embedded database; its data is in ${dataFolder}.`,
    `  Run your own SQL: ${command} sql FILE.sql`,
  ];
}

function describeDatabase({ databaseUri, command }: DevFacts): readonly string[] {
  if (databaseUri === undefined) return [];
  return [`  Database: psql '${databaseUri}'`, `  or, in this folder: ${command} sql [FILE.sql]`];
}

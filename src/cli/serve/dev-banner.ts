// What `rowhouse dev` says once it serves. Pure: facts in, text out.

export interface DevFacts {
  /** `http://localhost:3000`, without a slash at the end. */
  readonly url: string;
  readonly database: string;
  readonly schemas: readonly string[];
  /** Of requests without a token. */
  readonly role: string;
  readonly login: string;
  readonly isSuperuser: boolean;
  /** Of the embedded database; undefined where it is somebody else's. */
  readonly dataFolder: string | undefined;
  /** By which the user reaches this program: `npx rowhouse`. */
  readonly command: string;
}

export function renderDevBanner(facts: DevFacts): string {
  const { url, database, schemas, role, login, isSuperuser } = facts;
  const power = role === login && isSuperuser ? ', a superuser, whom no privilege and no policy stops' : '';
  return [
    '',
    `  Rowhouse serves the database ${database} (${schemas.join(', ')}) at ${url}, on this machine only.`,
    ...describeEmbedded(facts),
    '',
    `  WARNING: requests need no token. Without one they act as the role ${role}${power}.`,
    '  Whatever runs on this machine can send them; web pages from elsewhere are refused. Not for production.',
    '',
    `  curl '${url}/'`,
    '',
    '  Changes of the schema are picked up within a second or two. Ctrl-C ends it.',
    '',
  ].join('\n');
}

function describeEmbedded({ dataFolder, command }: DevFacts): readonly string[] {
  if (dataFolder === undefined) return [];
  return [`  It is the embedded one; its data lie in ${dataFolder}.`, `  Your SQL in here: ${command} sql FILE.sql`];
}

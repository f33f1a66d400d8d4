// Renders the text that the demo prints once the server listens: addresses, a token, four example requests, next steps.
import { DEMO_DATABASE } from './load-demo.ts';

export interface BannerFacts {
  /** `http://localhost:3000`, without a trailing slash. */
  readonly apiUrl: string;
  readonly hasExplorer: boolean;
  /** Undefined without an admin server. */
  readonly adminUrl: string | undefined;
  /** Undefined if the server uses a different secret, with which the demo's token is invalid. */
  readonly userToken: string | undefined;
  readonly adminUri: string;
  readonly database: string;
  readonly dataFolder: string;
  /** Whether this start created the data. */
  readonly isNew: boolean;
  /** How the user invokes this program: `npx rowhouse`. */
  readonly command: string;
}

export function renderBanner(facts: BannerFacts): string {
  const { apiUrl, adminUrl, userToken, command } = facts;
  const isDemo = facts.database === DEMO_DATABASE;
  const subject = isDemo ? 'Lantern Row, a demo neighbourhood with a tool library' : `the database ${facts.database}`;
  return [
    '',
    `  Rowhouse serves ${subject}.`,
    '',
    `  API       ${apiUrl}`,
    ...(facts.hasExplorer ? [`  Explorer  ${apiUrl}/ in a browser`] : []),
    ...(adminUrl === undefined ? [] : [`  Admin     ${adminUrl}/ready  /live  /metrics  /schema_cache`]),
    `  Database  ${facts.adminUri}`,
    `  Data      ${facts.dataFolder} (${facts.isNew ? 'new' : 'from an earlier run'})`,
    '',
    ...(userToken === undefined
      ? [`  Create a token with your jwt-secret: ${command} token --role NAME FILE`]
      : [`  Token (role demo_user${isDemo ? ', resident 1: Mira Okonkwo' : ''}):`, `  ${userToken}`]),
    '',
    ...(isDemo ? renderExamples(facts) : [`  curl '${apiUrl}/'`]),
    '',
    `  Run your own SQL       ${command} sql FILE.sql`,
    `  Use your own database  ${command} postgres://user:password@host/name --db-anon-role web_anon --server-host 127.0.0.1`,
    `  Develop with it        ${command} dev postgres://user:password@host/name`,
    `  Use a file             ${command} --example > my.conf, edit it, ${command} my.conf`,
    '  Press Ctrl-C to stop the server and the database. The data is kept.',
    '',
  ].join('\n');
}

/** Each line works as is when pasted into a POSIX shell. */
function renderExamples({ apiUrl, userToken }: BannerFacts): readonly string[] {
  const select = 'number,colour,built,streets(name),residents(name)';
  return [
    '  # The oldest houses, with their street and residents',
    `  curl '${apiUrl}/houses?select=${select}&built=lt.1880&order=built,id&limit=3'`,
    '',
    '  # Call a function that searches the tool library',
    `  curl '${apiUrl}/rpc/find_tools?query=saw&select=name,condition,residents(name)&order=name'`,
    '',
    '  # Pin a note to the board, with the token',
    `  curl '${apiUrl}/notes' -H 'Authorization: Bearer ${userToken ?? '$TOKEN'}' -H 'Content-Type: application/json' -H 'Prefer: return=representation' -d '{"topic": "wanted", "title": "Four strong neighbours", "body": "The piano moves on Friday."}'`,
    '',
    '  # Get tools as CSV, with their total count in Content-Range',
    `  curl -i '${apiUrl}/tools?select=name,value,condition&condition=in.(new,good)&order=value.desc&limit=5' -H 'Accept: text/csv' -H 'Prefer: count=exact'`,
  ];
}

// What the demo says once it serves: addresses, a token, four requests worth trying, and the ways on from here.
// Pure: facts in, text out.
import { DEMO_DATABASE } from './load-demo.ts';

export interface BannerFacts {
  /** `http://localhost:3000`, without a slash at the end. */
  readonly apiUrl: string;
  /** `undefined`: no admin server. */
  readonly adminUrl: string | undefined;
  /** `undefined`: the server would not take the demo's, since it has a secret of the user's own. */
  readonly userToken: string | undefined;
  readonly adminUri: string;
  readonly database: string;
  readonly dataFolder: string;
  /** Whether the data folder was filled just now. */
  readonly isNew: boolean;
  /** By which the user reaches this program: `npx rowhouse`. */
  readonly command: string;
}

export function renderBanner(facts: BannerFacts): string {
  const isDemo = facts.database === DEMO_DATABASE;
  const subject = isDemo ? 'Lantern Row, a demo neighbourhood with a tool library' : `the database ${facts.database}`;
  return [
    '',
    `  Rowhouse serves ${subject}.`,
    '',
    ...renderPlaces(facts),
    '',
    ...renderToken(facts, isDemo),
    '',
    ...(isDemo ? renderExamples(facts) : [`  curl '${facts.apiUrl}/'`]),
    '',
    ...renderWaysOn(facts),
    '',
  ].join('\n');
}

function renderToken({ userToken, command }: BannerFacts, isDemo: boolean): readonly string[] {
  if (userToken === undefined) return [`  Tokens, signed with your jwt-secret: ${command} token --role NAME FILE`];
  return [`  Token (role demo_user${isDemo ? ', resident 1: Mira Okonkwo' : ''}):`, `  ${userToken}`];
}

function renderPlaces(facts: BannerFacts): readonly string[] {
  const admin =
    facts.adminUrl === undefined ? [] : [`  Admin     ${facts.adminUrl}/ready  /live  /metrics  /schema_cache`];
  return [
    `  API       ${facts.apiUrl}`,
    ...admin,
    `  Database  ${facts.adminUri}`,
    `  Data      ${facts.dataFolder} (${facts.isNew ? 'new' : 'as you left it'})`,
  ];
}

/** Each line works as printed, pasted into a POSIX shell. */
function renderExamples({ apiUrl, userToken }: BannerFacts): readonly string[] {
  const select = 'number,colour,built,streets(name),residents(name)';
  return [
    '  # The oldest houses, with their street and who lives there',
    `  curl '${apiUrl}/houses?select=${select}&built=lt.1880&order=built,id&limit=3'`,
    '',
    '  # A function: search the tool library',
    `  curl '${apiUrl}/rpc/find_tools?query=saw&select=name,condition,residents(name)&order=name'`,
    '',
    '  # Pin a note to the board, with the token',
    `  curl '${apiUrl}/notes' -H 'Authorization: Bearer ${userToken ?? '$TOKEN'}' -H 'Content-Type: application/json' -H 'Prefer: return=representation' -d '{"topic": "wanted", "title": "Four strong neighbours", "body": "The piano moves on Friday."}'`,
    '',
    '  # As CSV, and how many there are in all (see Content-Range)',
    `  curl -i '${apiUrl}/tools?select=name,value,condition&condition=in.(new,good)&order=value.desc&limit=5' -H 'Accept: text/csv' -H 'Prefer: count=exact'`,
  ];
}

function renderWaysOn({ command }: BannerFacts): readonly string[] {
  return [
    `  Your SQL in here       ${command} sql FILE.sql`,
    `  Your own database      ${command} postgres://user:password@host/name --db-anon-role web_anon`,
    `  While you build it     ${command} dev postgres://user:password@host/name`,
    `  With a file            ${command} --example > my.conf, edit it, ${command} my.conf`,
    '  Ctrl-C ends server and database; the data stay.',
  ];
}

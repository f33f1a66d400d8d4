// The houses and their rooms, each with its purpose, in the order in which they may see each other: a room sees those
// before it. `test/architecture.test.ts` checks the imports against these lists, and `npm run docs -- rooms` writes them
// to docs/architecture.md. Names without `.ts` are folders. Files at the top of a room come after its inner rooms.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../build/root.js';

const PAGE = path.join(ROOT, 'docs/architecture.md');

/** `doesIo` marks the rooms that may do I/O; the others are pure. */
const SERVER = [
  { name: 'util', purpose: 'Small helpers: bounded maps, edit distance, slices of long computations' },
  {
    name: 'contract',
    purpose:
      "Records and names that rooms exchange: HTTP messages, statements, outcomes, deliveries, `Result`; the dialect, which contains every name with the vendor's prefix",
  },
  { name: 'media', purpose: 'Media types and `Accept`' },
  {
    name: 'errors',
    purpose:
      'Every error as data (`errors/api-error.ts`), its code and text (`errors/error-catalog.ts`), and the status of each SQLSTATE',
  },
  {
    name: 'config',
    purpose: 'One table of options, which defines resolution, `--help`, `--example`, the dump and the JSON Schema',
    rooms: [
      { name: 'syntax', purpose: 'The configuration file: text → values by key' },
      { name: 'table', purpose: 'The table of options and their types' },
      { name: 'resolve', purpose: 'File, environment, database and arguments → the effective configuration' },
    ],
  },
  {
    name: 'auth',
    purpose: 'Token → identity; keys, claims, the path to the role; allowed hosts and pages',
    rooms: [{ name: 'json-path', purpose: 'JSONPath: parsing it, printing it, and what it selects' }],
  },
  {
    name: 'request',
    purpose: 'Path, profile, query string, preferences, range and body → `ApiRequest`',
    rooms: [
      { name: 'query', purpose: 'The query string: `select`, filters, order, pages' },
      { name: 'payload', purpose: 'Bodies: JSON, CSV, NDJSON and forms, whole or while they arrive' },
    ],
  },
  {
    name: 'catalog',
    purpose: "The schema cache: statements that read PostgreSQL's catalogs, and their rows decoded into O(1) lookups",
    rooms: [{ name: 'introspect', purpose: 'The statements, one for each kind of object' }],
  },
  {
    name: 'plan',
    purpose:
      '`ApiRequest` → plan: resolves relationships and overloads, negotiates formats, and finds errors before a connection is used',
    rooms: [
      { name: 'names', purpose: 'Looking up relations by name, and suggestions for unknown names' },
      { name: 'negotiation', purpose: 'Accepted media types × media type handlers → the format of the response' },
      {
        name: 'levels',
        purpose: 'The `select` tree: resolves relationships, finds errors, builds one read plan per level',
      },
      {
        name: 'actions',
        purpose:
          "The plan's records, and the decisions common to all actions: transaction, count, delivery, checks of the outcome",
      },
      {
        name: 'writes',
        purpose: 'POST, PATCH, PUT and DELETE on a relation: payload, conflicts, keys',
      },
      { name: 'calls', purpose: 'Function calls: the overload, its arguments, the relation of its result' },
    ],
  },
  {
    name: 'sql',
    purpose: "Plan → SQL text that depends only on the request's shape, and its parameters",
    rooms: [
      { name: 'text', purpose: 'Identifiers, literals, settings, and the parameters of a statement' },
      { name: 'levels', purpose: 'Reads: one `SELECT` per level of the `select` tree' },
      { name: 'writes', purpose: 'Writes: the payload as rows, and the statement that writes them' },
    ],
  },
  {
    name: 'prepare',
    purpose: 'The plan cache: request shapes, plans with stand-ins for values, and filling them in',
  },
  {
    name: 'openapi',
    purpose: 'Schema cache → API descriptions',
    rooms: [
      { name: 'document', purpose: 'What the descriptions share: visible objects, comments, writing JSON in slices' },
      { name: 'swagger', purpose: 'Swagger 2.0' },
    ],
  },
  { name: 'response', purpose: 'Outcome → status, headers, body' },
  { name: 'observe', purpose: 'Observations → log lines, metrics, timing header' },
  {
    name: 'serve',
    purpose:
      'The trunk: a request, what it asks for, its transaction, its response; and the seams at which extensions are asked',
  },
  {
    name: 'postgres',
    doesIo: true,
    purpose:
      'The database: connections, the wire codec, the pool, scripts in one round trip. The only room that uses the driver',
    rooms: [
      { name: 'wire', purpose: 'The protocol codec: bytes ↔ messages. It owns no socket' },
      {
        name: 'connect',
        purpose: 'Connection strings, hosts, TLS, opening connections through the driver, cancel requests',
      },
      {
        name: 'session',
        purpose: 'One connection: what is sent on it, what arrives, its prepared statements, the listener',
      },
      {
        name: 'stream',
        purpose: 'Response bodies that are sent while rows arrive: memory, permits, backpressure',
      },
      { name: 'results', purpose: 'Result readers: the rows of a main statement → the outcome' },
      { name: 'execute', purpose: 'A transaction: its statements, its end, retries' },
      { name: 'pool', purpose: 'Connections: opening, assigning to scripts, taking back' },
    ],
  },
  {
    name: 'service',
    doesIo: true,
    purpose: 'State that changes: configuration and schema reloads, recovery, token cache',
    rooms: [
      {
        name: 'scheduling',
        purpose: 'When work runs: backoff, debouncing, coalescing, pauses in long computations',
      },
      { name: 'database', purpose: "The configured pool, the server's own queries, the version" },
      { name: 'logging', purpose: 'The configured logger, and writing lines to streams' },
      { name: 'tokens', purpose: 'Keys, the cache of verified tokens, the verifier' },
      {
        name: 'configuration',
        purpose: 'Reading file, environment and database, and applying changes on reload',
      },
      {
        name: 'schema-cache',
        purpose: 'Loading the schema cache, the retry loop, the names visible to a role',
      },
      {
        name: 'supervision',
        purpose: 'The listening connection, fatal errors, runtime statistics, the limit of young objects',
      },
    ],
  },
  {
    name: 'http',
    doesIo: true,
    purpose: 'HTTP: limits, receiving, sending, the listening socket, the admin server, adapters for Node and Fetch',
    rooms: [
      { name: 'limits', purpose: 'Admission, connections, pipelining, pace of bodies, unsent bytes' },
      { name: 'receive', purpose: 'Request heads and bodies' },
      { name: 'send', purpose: 'Responses, slow clients, cutting off' },
      {
        name: 'exchange',
        purpose: 'One request and its response on a connection, in the order of the limits; draining at shutdown',
      },
      { name: 'listen', purpose: 'Sockets: binding, sharing a port, leaving it' },
      { name: 'admin', purpose: 'Health, metrics, status' },
      { name: 'adapters', purpose: 'Handlers for `node:http` and the Fetch API' },
    ],
  },
  {
    name: 'workers',
    doesIo: true,
    purpose:
      'Worker processes: distributing connections, sharing configuration and catalog, replacing workers, and the program that they run',
  },
  {
    name: 'extensions',
    purpose:
      'What the rest is whole without. Each folder is one extension: `index.ts` says what it adds, and it imports no other extension',
    rooms: [
      {
        name: 'agents',
        purpose:
          'Tool calls of the Model Context Protocol become requests, and their responses results. The only room that uses the SDK of the protocol, which may be missing',
      },
      {
        name: 'batch',
        purpose:
          'Several requests in one transaction: plans those that go to the database together, and builds their responses before the next ones are planned',
      },
      { name: 'cost', purpose: 'Budgets: PostgreSQL estimates a statement before it runs' },
      {
        name: 'etags',
        purpose: 'Entity tags of responses, and the conditions on versions that requests name',
      },
      {
        name: 'hints',
        purpose: 'Errors → what the client can do about them: a token, a GRANT, the row at fault, another spelling',
      },
      {
        name: 'idempotency',
        purpose: 'Keys of requests: a script between a segment that claims the key and one that stores the response',
      },
      { name: 'ingest', purpose: 'Inserts while the body arrives: the rows of NDJSON and of long CSV bodies' },
      {
        name: 'issuer',
        doesIo: true,
        purpose: 'Keys of an identity provider: loading them, and keeping them up to date',
      },
      {
        name: 'rates',
        doesIo: true,
        purpose: 'Limits of the rate of requests: which quota a request counts against, and the quotas of all clients',
      },
      {
        name: 'replicas',
        doesIo: true,
        purpose: 'Reads on standbys: how fresh they must be, choosing a server for each, and probing the servers',
      },
      { name: 'tracing', doesIo: true, purpose: 'Spans of requests, for OpenTelemetry' },
      {
        name: 'live',
        doesIo: true,
        purpose:
          'Streams of events: notifications on channels, and rows that are read again when the log of the database says that they have changed',
      },
      {
        name: 'sync',
        purpose: 'A list of reads to watch in one request: parses it, and plans each read',
      },
      {
        name: 'nested',
        purpose:
          'Rows with related rows in one body: plans a list of tasks, and divides the script of the request into as many parts as they need',
      },
      { name: 'openapi3', purpose: 'The descriptions of the schema in OpenAPI 3.1 and 3.2' },
      {
        name: 'pages',
        purpose: 'Keyset pages: the order and its tokens, the rows behind a position, links to the pages beside it',
      },
      { name: 'schema-document', purpose: 'The document that the explorer and agents read' },
      {
        name: 'shards',
        purpose:
          'Tables that Citus spreads over servers: plans that stay on one shard, settings that policies read there, and writes in two statements',
      },
      { name: 'shared-reads', purpose: 'Concurrent reads that share one write to a connection' },
    ],
  },
  {
    name: 'server',
    doesIo: true,
    purpose: 'Composition: a service with its API server and admin server, and serving until a signal arrives',
  },
  { name: 'index.ts', doesIo: true, purpose: 'The library' },
];

const TOOLS = [
  {
    name: 'command-line',
    purpose: 'What a command is; arguments → command and configuration, help, completion',
  },
  { name: 'support', purpose: 'What several tools share: the configuration with a pool, how to call this program' },
  { name: 'token', purpose: '`rowhouse token`: signs a token' },
  { name: 'console', purpose: 'The SQL console of `rowhouse dev`; splitting scripts into statements' },
  {
    name: 'embedded',
    purpose: 'The embedded PostgreSQL',
    rooms: [
      { name: 'cluster', purpose: 'Its binaries, its data folder, and its process' },
      { name: 'script', purpose: 'Running SQL files in it' },
    ],
  },
  { name: 'demo', purpose: 'The demo, and `rowhouse sql`, which runs a file in its database' },
  {
    name: 'access',
    purpose: 'What a role may do, and why a row is hidden from it: the routes of `rowhouse dev`',
    rooms: [
      {
        name: 'policies',
        purpose: 'Reading privileges and policies from the catalogs, and evaluating policies for rows',
      },
      { name: 'why', purpose: 'Which privilege or policy hid or refused which row of a request' },
    ],
  },
  { name: 'dev', purpose: '`rowhouse dev`: a server for development' },
  { name: 'typegen', purpose: '`rowhouse types`: schema cache → TypeScript types' },
  {
    name: 'inspect',
    purpose:
      '`--dump-config`, `--dump-schema`, `--example`, `--ready`: what a server would load, the options as text, and whether a server is ready',
  },
  {
    name: 'project',
    purpose: 'An API kept as SQL files: `rowhouse dev DIR`',
    rooms: [
      { name: 'folder', purpose: 'The files of a project, and what is wrong with them' },
      { name: 'run', purpose: 'Running its files in a database' },
      {
        name: 'compare',
        purpose:
          'Comparing two schemas, the only room that uses the library for it, which may be missing; applying the difference',
      },
      { name: 'dev', purpose: '`rowhouse dev DIR`: following the files' },
    ],
  },
  {
    name: 'compare',
    purpose: '`rowhouse compare`: sends the same requests to two servers',
    rooms: [
      { name: 'requests', purpose: 'Logs, HAR files, files of requests and API descriptions → requests' },
      { name: 'replies', purpose: 'Sending a request, and comparing two replies' },
      { name: 'report', purpose: 'Differences grouped by cause, and known departures' },
    ],
  },
  { name: 'api-diff', purpose: 'Compares two APIs as their clients see them' },
  { name: 'migrate', purpose: '`rowhouse migrate`: applies migrations, and records them in the database' },
  { name: 'diff', purpose: '`rowhouse diff`: compares a folder with a database' },
  {
    name: 'testing',
    purpose: '`rowhouse/testing`: tests of a project, each in a transaction that is rolled back',
    rooms: [
      { name: 'contract', purpose: 'The types of the library' },
      { name: 'sql', purpose: 'Connections of the tools themselves, and their statements' },
      {
        name: 'cluster',
        purpose: 'The PostgreSQL of the tests and the process that keeps it, the template and its copies',
      },
      { name: 'session', purpose: 'The transaction of a test: scripts as savepoints, statements of the owner' },
      { name: 'api', purpose: 'Requests and responses: the way of a request in the transaction of a test' },
      { name: 'access', purpose: 'Which rows a role can read and write, found out by requests' },
    ],
  },
  {
    name: 'check',
    purpose: '`rowhouse check` and `rowhouse doctor`: report what files, a database or a running server leave open',
    rooms: [
      { name: 'lints', purpose: 'The lints, by subject: a statement, and templates of what its rows mean' },
      { name: 'probes', purpose: 'Proves findings: reads, as a role, rows that belong to somebody else' },
      { name: 'mutants', purpose: '`--mutate`: what can be changed in a database, and running the tests' },
      {
        name: 'doctor',
        purpose: 'Examines the configuration and the machine of a server; runs lints on its connection',
      },
    ],
  },
  { name: 'init', purpose: '`rowhouse init`: sets up a database' },
  { name: 'deploy', purpose: '`rowhouse deploy`: brings a database to the state of a project' },
  { name: 'new', purpose: '`rowhouse new`: writes a project from a template' },
  { name: 'mcp', purpose: '`rowhouse mcp`: serves an agent on standard input and output' },
  { name: 'commands', purpose: 'The commands: purpose, flags and arguments of each; each loads its tool when it runs' },
  { name: 'run-command.ts', purpose: 'Runs a command where its configuration is' },
  { name: 'main.ts', purpose: 'The program' },
];

const EXPLORER = [
  { name: 'schema', purpose: 'The schema document with its indexes, and the operators that suit a type' },
  { name: 'url-state', purpose: 'Request URL ↔ model, and the edits of each of its parts' },
  { name: 'client', purpose: 'Requests to the API and their outcomes' },
  { name: 'rows', purpose: 'The rows of a response: positions, values, pages, labels of foreign keys' },
  { name: 'ui', purpose: 'Components without knowledge of the API: buttons, dialogs, menus' },
  { name: 'store', purpose: 'The state that the whole page shares' },
  { name: 'complete', purpose: 'Completion of a request URL' },
  { name: 'editor', purpose: 'What the editors of URLs and of SQL share: marks, completion, look' },
  { name: 'request-bar', purpose: 'The editor of the request URL' },
  { name: 'builder', purpose: 'The query builder' },
  { name: 'copy', purpose: '"Copy as": a request as a command or program' },
  { name: 'facets', purpose: 'Filters from cells and from the values of a column' },
  { name: 'chart', purpose: 'Grouped rows as a chart' },
  { name: 'geo', purpose: 'Geometries of rows as a drawing' },
  { name: 'watch', purpose: 'Event streams, and the rows of a watched read' },
  { name: 'result', purpose: 'The response: table, text, errors, downloads' },
  { name: 'plan', purpose: 'The execution plan of a request' },
  { name: 'sql', purpose: 'The SQL console' },
  { name: 'forms', purpose: 'Forms that write rows and call functions' },
  { name: 'basket', purpose: 'Writes that are collected for one batch' },
  { name: 'record', purpose: 'The page of one row' },
  { name: 'reference', purpose: 'The page about a relation or function' },
  { name: 'history', purpose: 'Recent and saved requests' },
  { name: 'map', purpose: 'The map of tables and their references' },
  { name: 'tokens', purpose: 'The token, and the API as another role sees it' },
  { name: 'access', purpose: 'Which role may do what' },
  { name: 'saves', purpose: 'What `rowhouse dev` reports about saves' },
  { name: 'help', purpose: 'The grammar and the keys' },
  { name: 'admin', purpose: 'The page of the admin server' },
  { name: 'shell', purpose: 'The page: sidebar, places, themes' },
  { name: 'admin-main.tsx', purpose: 'The entry of the admin page' },
  { name: 'main.tsx', purpose: 'The entry of the page' },
];

export const HOUSES = [
  { folder: 'src', rooms: SERVER },
  { folder: 'tools', rooms: TOOLS },
  { folder: 'explorer/src', rooms: EXPLORER },
];

/** Writes the lists to the page, between the comments that name them. */
export function writeRooms() {
  writeFileSync(PAGE, renderPage(readFileSync(PAGE, 'utf8')));
}

export function renderPage(page) {
  return HOUSES.reduce((text, house) => replaceBlock(text, `rooms of ${house.folder}`, renderHouse(house)), page);
}

function replaceBlock(page, title, block) {
  const [start, end] = [`<!-- ${title} -->\n`, `<!-- end of ${title} -->\n`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/architecture.md has no place for the ${title}.`);
  return `${before}${start}\n${block}\n${end}${after}`;
}

/** One table of the rooms, and one of the rooms within rooms. */
function renderHouse({ folder, rooms }) {
  const inner = rooms.flatMap(({ name, rooms: within = [] }) =>
    within.map((room) => ({ ...room, name: `${name}/${room.name}` })),
  );
  const tables = [renderTable(`Room of \`${folder}/\``, rooms)];
  return [...tables, ...(inner.length === 0 ? [] : [renderTable('Room within a room', inner)])].join('\n');
}

function renderTable(heading, rooms) {
  const rows = rooms.map(({ name, purpose }) => `| \`${/\.tsx?$/u.test(name) ? name : `${name}/`}\` | ${purpose} |\n`);
  return `| ${heading} | Purpose |\n|---|---|\n${rows.join('')}`;
}

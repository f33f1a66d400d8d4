// The search of the site: its weights, and the words of other products for what a section describes. The search finds them
// as if they were part of the section's title, but does not show them.

/**
 * The title of a section counts more than how often a word occurs in the section. A word as it was entered counts more than
 * one that begins with it, and that more than a similar one, wherever they occur.
 */
export const SEARCH_OPTIONS = {
  boost: { title: 12, titles: 6, text: 1 },
  weights: { prefix: 0.1, fuzzy: 0.01 },
  bm25: { k: 1.2, b: 0.1, d: 0.5 },
};

/** By page and anchor. */
export const KEYWORDS = {
  agents: { agents: 'ai llm assistant chatbot copilot mcp' },
  batches: { batches: 'transaction transactions atomic rollback commit bulk requests' },
  'build-an-app': { react: 'spa frontend preact' },
  clients: {
    'clients-and-types': 'sdk javascript react vue python swift kotlin flutter mobile',
    'generated-clients': 'openapi swagger codegen',
    'typescript-types': 'typegen typed',
  },
  configuration: { configuration: 'settings environment variables env options' },
  deployment: { deployment: 'hosting host deploy cloud vps production' },
  errors: { errors: 'error codes status exceptions' },
  explorer: {
    'the-explorer': 'admin dashboard studio gui playground map diagram',
    'running-sql': 'sql editor console',
  },
  formats: {
    'response-formats': 'export xml excel geojson binary',
    'streaming-responses': 'download dump',
    'conditional-reads': 'cache caching cdn 304',
    preferences: 'prefer header',
  },
  functions: {
    functions: 'rpc procedure procedures custom endpoint endpoints logic edge function serverless',
    errors: 'raise throw',
  },
  index: { rowhouse: 'pricing price cost free license' },
  library: { 'the-library': 'middleware embedded handler' },
  live: {
    'live-rows': 'realtime websocket websockets subscribe subscription subscriptions push sse',
    channels: 'broadcast pubsub notify presence chat webhook webhooks',
  },
  login: {
    login: 'log in sign up signup signin register registration users accounts password passwords logout session',
    'sending-the-mails': 'email mail smtp verification confirm',
    'the-token-in-a-cookie': 'cookies httponly csrf',
  },
  operations: {
    containers: 'docker kubernetes compose',
    'metrics-and-alerts': 'monitoring prometheus grafana alerting',
    traces: 'opentelemetry tracing apm',
    logs: 'logging debug',
    'rate-limits': 'throttle throttling quota 429',
    limits: 'timeout timeouts maximum',
    'schema-changes': 'migrations ddl reload',
    'zero-downtime-upgrades': 'rolling upgrade restart',
    pgbouncer: 'pooler connection pooling',
    'behind-nginx': 'https tls ssl domain',
  },
  performance: { performance: 'benchmark benchmarks latency throughput' },
  production: {
    '_1-secrets': 'vault',
    '_5-backups': 'backup dump restore recovery disaster',
    '_6-upgrades': 'update version',
  },
  projects: {
    'psql-sql-files-and-tokens': 'psql connect console',
    'the-folder': 'seed fixtures',
    'what-happens-to-your-rows': 'rename drop column',
  },
  'query-language': {
    filters: 'operators conditions between',
    text: 'like contains substring insensitive',
    columns: 'fields projection alias rename',
    'json-and-arrays': 'jsonb',
    'null-and-booleans': 'not null isnull empty',
    embedding: 'join joins joined include expand populate relationships nested graphql',
    aggregates: 'group having sum average',
    order: 'sort sorting orderby',
    scores: 'vector vectors semantic similarity embeddings ranking',
    'pages-and-counts': 'pagination paginate paging limit offset total count range',
    'keyset-pages': 'infinite scroll cursor cursors',
    'different-rows': 'distinct unique duplicates',
    'and-or-not': 'boolean logic',
  },
  questions: { 'questions-in-one-request': 'examples reports analytics' },
  recipes: {
    'full-text-search': 'fulltext search tsvector',
    files: 'upload uploads storage images attachments blob bucket',
    'soft-delete': 'trash archive restore',
    'audit-log': 'audit history trail changelog',
    'multi-tenancy': 'tenant tenants saas organization workspace',
    'scheduled-jobs': 'cron schedule scheduler job queue background',
    checkout: 'cart shop payment',
    'slow-queries': 'index indexes explain',
  },
  replicas: { 'replicas-and-failover': 'standby replication' },
  scale: {
    'workers-using-several-cores': 'cores processes',
    'high-availability-cluster': 'ha patroni clustering',
    sharding: 'shard partitioning',
  },
  schemas: { versions: 'versioning v1 v2 deprecation', 'a-dedicated-api-schema': 'expose hide private' },
  security: { network: 'cors origin allowlist firewall', roles: 'permissions hardening' },
  start: { 'getting-started': 'install quickstart setup introduction', 'the-demo': 'psql database url connect' },
  tokens: {
    'tokens-roles-and-row-level-security': 'jwt auth authentication authorization permissions rls',
    'which-rows-a-role-can-access': 'rls policy policies',
    'tokens-from-an-identity-provider': 'oauth oidc sso social keycloak google',
    'locking-out-a-user-immediately': 'revoke ban block',
    'test-tokens': 'key',
  },
  tutorial: { 'a-to-do-api-in-ten-minutes': 'todo beginner sample app' },
  writes: {
    insert: 'create add post',
    'streaming-inserts': 'import csv load copy',
    update: 'edit modify patch',
    'changing-values-in-place': 'increment counter append',
    'different-changes-to-many-rows': 'bulk updates',
    upsert: 'merge conflict replace',
    'related-rows': 'nested inserts',
    'conditional-writes': 'optimistic locking concurrency',
    'errors-from-the-database': 'validation validate constraints',
    'dry-runs': 'preview simulate',
    'safe-retries': 'idempotency idempotent retry exactly',
  },
};

/** Pages for contributors, which users do not search for. */
export const UNSEARCHED = new Set(['architecture']);

/** Adds the keywords of each section to its heading. @param html of the page */
export function addKeywords(html, page) {
  const keywords = KEYWORDS[page] ?? {};
  return html.replaceAll(/<a class="header-anchor" href="#([^"]+)"/gu, (link, anchor) =>
    anchor in keywords ? ` ⟨${keywords[anchor]}⟩ ${link}` : link,
  );
}

/** Removes the keywords from the titles that the results show. @param index the module of the search index */
export function hideKeywords(index) {
  return index.replaceAll(/ ⟨[^⟩]*⟩/gu, '');
}

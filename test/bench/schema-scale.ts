// `npm run bench -- schema`: the server with a schema of ten thousand tables. Measures time and memory of loading it, and
// the effect of ten reloads and of rendering its description on other requests.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { discardBody } from './load/discard-body.ts';
import { generateSchema, LARGE_SCHEMA, type SchemaSize } from './generate-schema.ts';
import { type Latencies, startPacedLoad } from './load/paced-load.ts';
import { ProbedServer } from './servers/probed-server.ts';
import { median, renderTable } from './report.ts';

const USAGE = `npm run bench -- schema [options]
  --scale N      size as a fraction of ${LARGE_SCHEMA.tables} tables (default 1)
  --reloads N    number of reloads (default 10)
  --uri URI      a database that already has the schema
`;

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    reloads: { type: 'string', default: '10' },
    uri: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const CALM_MILLISECONDS = 10_000;
const PATHS = ['/table_0?id=eq.7', '/table_0?limit=20', '/rpc/function_0?a=1'];
const DESCRIPTIONS = ['application/openapi+json', 'application/vnd.oai.openapi+json;version=3.1'];

if (values.help) process.stdout.write(USAGE);
else if (values.uri !== undefined) await measure(values.uri);
else await measureFresh();

async function measureFresh(): Promise<void> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-scale-${randomBytes(6).toString('hex')}`),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    isTemporary: true,
  });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  try {
    await withConnection(started.value.uri, async (client) => {
      for (const sql of generateSchema(scaleSchema(Number(values.scale)))) await client.query(sql);
      await client.query('vacuum analyze');
    });
    await measure(started.value.uri);
  } finally {
    await started.value.stop();
  }
}

function scaleSchema(scale: number): SchemaSize {
  const parts = Object.entries(LARGE_SCHEMA).map(([name, count]) => [name, Math.ceil(count * scale)]);
  return Object.fromEntries(parts) as SchemaSize;
}

async function measure(databaseUri: string): Promise<void> {
  const server = await ProbedServer.start(databaseUri);
  try {
    const { heap, resident, longestWork } = await server.probe();
    const [first] = server.loads;
    report(`first load: queries ${render(first?.queryTime)} ms, build ${render(first?.buildTime)} ms`);
    report(
      `after it: heap ${megabytes(heap)}, resident ${megabytes(resident)}, at its highest ${megabytes(server.peak)}, longest work ${render(longestWork)} ms`,
    );
    const warmUp = startPacedLoad(server.port, PATHS);
    await setTimeout(CALM_MILLISECONDS / 5);
    await warmUp.stop();
    const rows = [['', 'requests', 'p50 ms', 'p99 ms', 'longest ms', 'block ms', 'work ms']];
    rows.push(await measureBeside('without reloads', server, () => setTimeout(CALM_MILLISECONDS)));
    rows.push(await measureBeside('during reloads', server, () => reload(server, databaseUri)));
    report(`memory at its highest: ${megabytes(server.peak)}`);
    for (const accept of DESCRIPTIONS) rows.push(await measureBeside(accept, server, () => describe(server, accept)));
    report(`with both descriptions: ${megabytes(server.peak)}\n\n${renderTable(rows)}`);
  } finally {
    await server.stop();
  }
}

async function measureBeside(name: string, server: ProbedServer, work: () => Promise<unknown>): Promise<string[]> {
  await server.probe();
  const load = startPacedLoad(server.port, PATHS);
  await work();
  const { count, p50, p99, longest }: Latencies = await load.stop();
  const { longestBlock, longestWork } = await server.probe();
  return [name, String(count), ...[p50, p99, longest, longestBlock, longestWork].map(render)];
}

async function reload(server: ProbedServer, databaseUri: string): Promise<void> {
  const before = server.loads.length;
  await withConnection(databaseUri, async (client) => {
    for (let count = 1; count <= Number(values.reloads); count += 1) {
      await client.query(`notify svc, 'reload schema'`);
      await server.awaitLoads(before + count);
    }
  });
  const loads = server.loads.slice(before);
  const queries = median(loads.map(({ queryTime }) => queryTime));
  report(
    `${loads.length} reloads, medians: queries ${render(queries)} ms, build ${render(median(loads.map(({ buildTime }) => buildTime)))} ms`,
  );
}

async function describe(server: ProbedServer, accept: string): Promise<void> {
  for (const attempt of ['first', 'again']) {
    const start = performance.now();
    const length = await discardBody({ host: '127.0.0.1', port: server.port, path: '/', headers: { accept } });
    const time = render(performance.now() - start);
    report(`${accept}, ${attempt}: ${megabytes(length)} in ${time} ms`);
  }
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function render(value: number | undefined): string {
  return value === undefined ? '-' : value.toFixed(1);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

// Metrics of requests: counts, durations and routes.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { startLocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(String.raw`
    create table api."odd ""\name" (id int);
    grant select on api."odd ""\name" to ${harbor.anon}`);
const server = await use(startLocalServer(harbor));

async function lines(pattern: RegExp): Promise<readonly string[]> {
  return (await server.admin('/metrics')).text.split('\n').filter((line) => pattern.test(line));
}

test('B53 requests are counted by method, route and status, and routes are only names in the schema cache', async () => {
  for (const path of ['/berth?id=eq.1', '/%62erth', '/berth?id=eq.x', '/rpc/who', '/', '/gone', '/a/b', '/rpc/gone'])
    await server.get(path);
  await server.get('/berth', { method: 'HEAD' });
  await server.get('/odd%20%22%5Cname');
  const preflight = { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' };
  await server.get('/berth', { method: 'OPTIONS', headers: preflight });
  expect(await lines(/http_requests_total/u)).toEqual([
    '# HELP svc_http_requests_total The total number of requests that were answered, by method, route and status',
    '# TYPE svc_http_requests_total counter',
    'svc_http_requests_total{method="GET",route="/",status="200"} 1.0',
    'svc_http_requests_total{method="GET",route="/berth",status="200"} 2.0',
    'svc_http_requests_total{method="GET",route="/berth",status="400"} 1.0',
    'svc_http_requests_total{method="HEAD",route="/berth",status="200"} 1.0',
    'svc_http_requests_total{method="OPTIONS",route="/berth",status="200"} 1.0',
    String.raw`svc_http_requests_total{method="GET",route="/odd \"\\name",status="200"} 1.0`,
    'svc_http_requests_total{method="GET",route="/rpc/who",status="200"} 1.0',
    'svc_http_requests_total{method="GET",route="other",status="404"} 3.0',
  ]);
});

test('B53 durations are exposed as a histogram', async () => {
  await server.get('/rpc/nap?seconds=0', { method: 'POST', body: '{}' });
  const found = await lines(/^svc_http_request_duration_seconds.*route="\/rpc\/nap"/u);
  const bounds = found.map((line) => /le="([^"]+)"/u.exec(line)?.[1] ?? line.replace(/ [\d.]+$/u, ''));
  const labels = '{method="POST",route="/rpc/nap"}';
  expect(bounds).toEqual([
    ...'0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf'.split(' '),
    `svc_http_request_duration_seconds_sum${labels}`,
    `svc_http_request_duration_seconds_count${labels}`,
  ]);
  const counts = found.map((line) => Number(line.split(' ').at(-1)));
  expect(counts.slice(0, 14)).toEqual(counts.slice(0, 14).toSorted((a, b) => a - b));
  expect(counts.slice(13)).toEqual([1, expect.any(Number), 1]);
});

test('requests in flight are reported', async () => {
  const held = await harbor.hold();
  const answer = server.get('/rpc/wait', { method: 'POST' });
  await until(async () => (await server.metric('http_requests_in_flight')) === 1);
  await held.release();
  await answer;
  expect(await server.metric('http_requests_in_flight')).toBe(0);
});

// Checks the Grafana dashboard and the alert rules of `deploy/grafana/`: they are well-formed, and name only metrics and
// labels that the server exposes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { useHarbor } from '../support/harbor.ts';
import { startLocalServer } from '../support/local-server.ts';
import { ROOT } from './read-pages.ts';
import { use } from '../support/use.ts';

interface Target {
  readonly refId: string;
  readonly expr: string;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly Target[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { query: string } }[];
  };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

/** Metrics and labels that Prometheus adds. */
const ADDED = ['up', 'job', 'instance', 'le'];
const FUNCTIONS = new Set(
  'by for histogram_quantile increase label_values max min min_over_time rate sum topk'.split(' '),
);
const read = (file: string): string => readFileSync(path.join(ROOT, 'deploy/grafana', file), 'utf8');
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
const rules = readRules();

const harbor = await useHarbor();

const options = { 'server-rate-limit': '1/h burst 1', 'db-uri-replicas': harbor.uri };
const server = await use(startLocalServer(harbor, options, { hasRuntimeMetrics: true }));
// The second one is rejected.
for (let sent = 0; sent < 2; sent += 1) await server.get('/berth');
const { text } = await server.admin('/metrics');
const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].flatMap(([, name, type]) =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name ?? ''],
);
const labels = [...text.matchAll(/(\w+)="/gu)].map(([, label]) => label ?? '');
const exposed = new Set([...names, ...labels, ...ADDED]);

function readRules(): readonly Rule[] {
  const document = parseDocument(read('alerts.yaml'));
  expect([...document.errors, ...document.warnings]).toEqual([]);
  const { groups } = document.toJS() as { groups: readonly { name: string; rules: readonly Rule[] }[] };
  return groups.flatMap((group) => group.rules);
}

/** Returns the names of metrics and labels in a PromQL expression. */
function namesIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/"[^"]*"|\[[^\]]*\]/gu, '');
  return [...bare.matchAll(/(?<![\w$.])[a-z_]\w*/gu)].map(([name]) => name).filter((name) => !FUNCTIONS.has(name));
}

function isBalanced(expression: string): boolean {
  let rest = expression.replaceAll(/"[^"]*"|[^()[\]{}]/gu, '');
  for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replaceAll(/\(\)|\[\]|\{\}/gu, '')];
  return rest === '';
}

const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...dashboard.templating.list.flatMap(({ name, query }) =>
    typeof query === 'string' ? [] : [[name, query.query] as const],
  ),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
];

test.each(expressions)('B53 %s uses metrics and labels that exist', (_, expression) => {
  expect(isBalanced(expression)).toBe(true);
  expect(namesIn(expression).length).toBeGreaterThan(0);
  expect(namesIn(expression).filter((name) => !exposed.has(name))).toEqual([]);
});

test('the dashboard shows every metric that an alert or the documentation of alerts names', () => {
  const all = expressions.map(([, expression]) => expression).join('\n');
  const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const [section = ''] = /^## Metrics and alerts$[\s\S]*?^## /mu.exec(page) ?? [];
  const named = [...section.matchAll(/svc_\w+/gu)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !all.includes(name))).toEqual([]);
});

test('panels have ids of their own and do not overlap, and refer to variables that exist', () => {
  const { panels, templating } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  const known = new Set([...templating.list.map(({ name }) => name), '__rate_interval', '__all']);
  const used = [...read('dashboard.json').matchAll(/\$\{?(\w+)/gu)].map(([, name]) => name ?? '');
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('the rejection of the limit is counted', async () => {
  expect((await server.admin('/metrics')).text).toContain('svc_http_refused_total{reason="server-rate-limit"} 1.0\n');
});

test('each alert has a name of its own, a severity and a summary', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, for: pending = '0m', labels, annotations } of rules) {
    expect(alert).toMatch(/^Rowhouse[A-Z]/u);
    expect(pending).toMatch(/^\d+m$/u);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
  }
});

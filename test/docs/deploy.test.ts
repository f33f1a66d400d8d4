// Checks the files of `deploy/`: they are well-formed, their references and their configuration are valid, and their
// stop timeouts are long enough. Runs neither containers nor systemd.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { createConfigReader } from '../../src/service/configuration/read-config.ts';
import { readMarkdown, ROOT } from './read-pages.ts';

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Parses YAML strictly: no duplicate keys, no warnings. */
function readYaml(file: string): readonly unknown[] {
  return parseAllDocuments(read(file)).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as unknown;
  });
}

/** Resolves the configuration of a service. Values that refer to mounted secrets are omitted. */
function configure(environment: Readonly<Record<string, string>>, file?: string): AppConfig {
  const stated = Object.fromEntries(Object.entries(environment).filter(([, value]) => !value.startsWith('@')));
  const config = createConfigReader({ file, environment: stated })(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  return config.value;
}

/** Returns the variables that the image sets. */
function imageVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...read('Dockerfile').matchAll(/\b(SVC_\w+)=(\S+)/gu)].map((m) => [m[1], m[2]] as const),
  ) as Record<string, string>;
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment: Readonly<Record<string, string>>;
        readonly secrets: readonly string[];
        readonly depends_on?: Readonly<Record<string, unknown>>;
        readonly volumes?: readonly string[];
        readonly ports?: readonly string[];
        readonly stop_grace_period?: string;
      }
    >
  >;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

test('compose: references resolve, and the configuration is valid', () => {
  const [compose] = readYaml('deploy/compose.yaml') as [Compose];
  const { services, secrets, volumes } = compose;
  for (const service of Object.values(services)) {
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...service.secrets]));
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})));
    const named = (service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((name) => /^\w/u.test(name));
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
    for (const value of Object.values(service.environment)) {
      const secret = /\/run\/secrets\/(.*)$/u.exec(value)?.[1];
      if (secret !== undefined) expect(service.secrets).toContain(secret);
    }
  }
  const own = services['rowhouse']!;
  const config = configure({ ...imageVariables(), ...own.environment });
  expect(own.ports).toEqual([`127.0.0.1:${config.serverPort}:3000`]);
  expect(Number.parseInt(own.stop_grace_period ?? '', 10)).toBeGreaterThan(config.serverShutdownGrace);
});

interface Patroni {
  readonly etcd: { readonly hosts: string };
  readonly bootstrap: {
    readonly dcs: { readonly ttl: number; readonly loop_wait: number; readonly retry_timeout: number };
  };
}

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly [string, string] } } };
  readonly volumeMounts: readonly [{ readonly name: string; readonly mountPath: string }];
}

interface ConfigMap {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
}

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly selector: unknown;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string; readonly secret: { readonly defaultMode: number } }[];
      };
    };
  };
}

test('Kubernetes: labels, ports, probes and stop timeouts match, and the configuration is valid', () => {
  const documents = readYaml('deploy/kubernetes.yaml') as readonly [
    ConfigMap,
    Deployment,
    ...{ readonly kind: string }[],
  ];
  const [{ data: variables }, { spec }] = documents;
  expect(documents.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'NetworkPolicy',
  ]);
  expect(Object.values(variables).filter((value) => typeof value !== 'string')).toEqual([]);
  const config = configure({ ...imageVariables(), ...variables });
  const { selector, template } = spec;
  const [container] = template.spec.containers;
  expect(container.ports).toEqual([
    { name: 'api', containerPort: config.serverPort },
    { name: 'admin', containerPort: config.adminServerPort },
  ]);
  expect(template.spec.volumes).toEqual([
    { name: container.volumeMounts[0].name, secret: { secretName: 'rowhouse', defaultMode: 0o440 } },
  ]);
  for (const name of ['SVC_DB_URI', 'SVC_JWT_SECRET'])
    expect(variables[name]).toMatch(new RegExp(`^@${container.volumeMounts[0].mountPath}/`, 'u'));
  const pause = Number(container.lifecycle.preStop.exec.command[1]);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(pause + config.serverShutdownGrace);
  const { labels } = template.metadata;
  expect(selector).toEqual({ matchLabels: labels });
  expect(documents).toMatchObject([
    {},
    {},
    { spec: { selector: labels, ports: [{ targetPort: 'api' }] } },
    { spec: { selector: { matchLabels: labels } } },
    { spec: { podSelector: { matchLabels: labels } } },
  ]);
});

test('systemd: the unit equals the one in the documentation, and its configuration and stop timeout are valid', () => {
  const page = readMarkdown('docs/operations.md');
  const unit = read('deploy/rowhouse.service');
  expect(page).toContain(`\`\`\`ini\n${unit}\`\`\``);
  const [, ...lines] = read('deploy/rowhouse.conf').split('\n');
  expect(page).toContain(`\`\`\`conf\n${lines.join('\n')}\`\`\``);
  const config = configure({}, path.join(ROOT, 'deploy/rowhouse.conf'));
  expect(Number(/^TimeoutStopSec=(\d+)$/mu.exec(unit)?.[1])).toBeGreaterThan(config.serverShutdownGrace);
});

test.each(['nginx.conf', 'haproxy.cfg', 'pgbouncer.ini'])(
  '%s: the file equals the one in the documentation',
  (file) => {
    // test/server/clients/proxies.db.test.ts and test/server/lifecycle/pgbouncer.db.test.ts run these files.
    expect(readMarkdown('docs/scale.md')).toContain(`\n${read(`deploy/${file}`)}\`\`\``);
  },
);

test('cluster: the files name the same servers, and the configuration is valid', () => {
  const { dbUri, dbUriReplicas, serverPort } = configure({}, path.join(ROOT, 'deploy/cluster/rowhouse.conf'));
  const servers = ['db-1', 'db-2', 'db-3'];
  expect(new URL(dbUri.replace(/@.*\//u, '@h/')).searchParams.get('target_session_attrs')).toBe('read-write');
  expect(dbUri).toContain(`@${servers.join(',')}/`);
  expect(dbUriReplicas).toEqual(servers.map((name) => `postgres://authenticator@${name}/shop`));
  const [patroni] = readYaml('deploy/cluster/patroni.yml') as [Patroni];
  expect(patroni.etcd.hosts).toBe(servers.map((name) => `${name}:2379`).join(','));
  const { ttl, loop_wait: wait, retry_timeout: retry } = patroni.bootstrap.dcs;
  expect(wait + 2 * retry).toBeLessThanOrEqual(ttl);
  const haproxy = [...read('deploy/cluster/haproxy.cfg').matchAll(/^ +server (\S+) \1:5432$/gmu)];
  expect(haproxy.map(([, name]) => name)).toEqual(servers);
  const nginx = [...read('deploy/cluster/nginx.conf').matchAll(/^ +server app-\d:(\d+) /gmu)];
  expect(nginx.map(([, port]) => Number(port))).toEqual([serverPort, serverPort]);
});

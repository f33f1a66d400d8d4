// Shows details that rarely change: schema cache, listener, token cache, refused requests, versions.
import type { ComponentChildren, VNode } from 'preact';
import type { StatusDocument, WorkerStatus } from '../../../src/contract/status-document.ts';
import { Badge, Name } from '../ui/text.tsx';
import { formatAge, formatCount, formatMilliseconds } from './format.ts';

type Facts = readonly (readonly [name: string, value: ComponentChildren])[];

export function Details({ status }: { readonly status: StatusDocument }): VNode {
  const { product, dialect, versions, tokenCache, refusals } = status;
  return (
    <div class="admin-details">
      <FactList title="Schema cache" facts={describeCache(status)} />
      <FactList title="Listener" facts={describeListener(status)} />
      {status.workers === undefined ? null : <FactList title="Workers" facts={status.workers.map(describeWorker)} />}
      <FactList
        title="Token cache"
        facts={[
          ['Look-ups', formatCount(tokenCache.requests)],
          ['Hits', formatCount(tokenCache.hits)],
          ['Evictions', formatCount(tokenCache.evictions)],
        ]}
      />
      <FactList
        title="Refused requests by limit"
        facts={refusals.length === 0 ? [['None', '']] : refusals.map(({ limit, count }) => [limit, formatCount(count)])}
      />
      <FactList
        title="Versions"
        facts={[
          [product.name, product.version],
          ['Dialect', dialect],
          ['PostgreSQL', versions.postgres ?? 'not connected yet'],
          ['Node', versions.node],
        ]}
      />
    </div>
  );
}

function describeCache({ schemaCache }: StatusDocument): Facts {
  const { loads, loadedAt, querySeconds, relations, relationships, functions } = schemaCache;
  return [
    ['Loaded', formatAge(loadedAt, Date.now())],
    ['Loads', formatCount(loads.succeeded)],
    ['Failed loads', loads.failed === 0 ? '0' : <Badge tone="warning">{formatCount(loads.failed)}</Badge>],
    ['Queries took', formatMilliseconds(querySeconds * 1000)],
    ['Relations', formatCount(relations)],
    ['Relationships', formatCount(relationships)],
    ['Functions', formatCount(functions)],
  ];
}

function describeWorker({ pid, isReady, inFlight, answered }: WorkerStatus): Facts[number] {
  const counts = `${formatCount(answered)} served, ${formatCount(inFlight)} in flight`;
  return [`Process ${pid}`, isReady ? counts : <Badge tone="warning">Not serving</Badge>];
}

const LISTENER_STATES = { off: 'Off', listening: 'Listening', lost: 'Not connected' } as const;

function describeListener({ listener }: StatusDocument): Facts {
  const tone = listener.state === 'lost' ? 'warning' : listener.state === 'off' ? 'neutral' : 'success';
  return [
    ['State', <Badge tone={tone}>{LISTENER_STATES[listener.state]}</Badge>],
    ['Channel', <Name text={listener.channel} isMono />],
  ];
}

function FactList({ title, facts }: { readonly title: string; readonly facts: Facts }): VNode {
  return (
    <section class="admin-section">
      <h2>{title}</h2>
      <dl class="admin-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

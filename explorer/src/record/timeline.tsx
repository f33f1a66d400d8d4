// The history of a row as a timeline, the latest change first.
import type { VNode } from 'preact';
import type { JsonObject } from '../rows/json-value.ts';
import { describeValue } from '../rows/value-text.ts';
import type { Store } from '../store/store.ts';
import { useReading } from '../store/use-reading.ts';
import { Name, Spinner } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';
import { historyTime } from './history-table.ts';
import type { Related } from './related.ts';

export interface TimelineProps {
  readonly store: Store;
  readonly related: Related;
  /** Changes to read again. */
  readonly version: number;
}

export function Timeline({ store, related, version }: TimelineProps): VNode {
  const reading = useReading(store, related.request, version);
  const { schema } = store.place.value;
  return (
    <section aria-label="History">
      <div class="ui-row ui-gap-4 record-related-head">
        <h3>
          History in <Name text={related.target.name} />
        </h3>
        <a href={renderPlace({ kind: 'request', schema, url: related.allUrl, view: 'table' })}>All</a>
      </div>
      {reading.kind === 'loading' ? <Spinner label="Loading the history" /> : null}
      {reading.kind === 'failed' ? <p class="record-comment">The history could not be read.</p> : null}
      {reading.kind === 'read' && reading.rows.length === 0 ? <p class="record-comment">No changes.</p> : null}
      {reading.kind === 'read' ? (
        <ol class="record-timeline">
          {reading.rows.map((row, index) => (
            <Change key={index} {...{ row, related }} />
          ))}
        </ol>
      ) : null}
    </section>
  );
}

function Change({ row, related: { target } }: { readonly row: JsonObject; readonly related: Related }): VNode {
  const time = historyTime(target);
  const at = row.entries.find(([name]) => name === time?.name)?.[1];
  const others = row.entries.filter(([name, value]) => {
    return name !== time?.name && !target.key.includes(name) && value.kind !== 'null';
  });
  return (
    <li>
      {at === undefined ? null : <time>{describeValue(at, time?.type).text}</time>}
      <dl class="record-change">
        {others.map(([name, value]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{describeValue(value, target.columns.find((one) => one.name === name)?.type).text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

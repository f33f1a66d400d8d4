// The list of relations and functions, with arrow-key navigation. Renders only the visible entries.
import { useEffect } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Name } from '../ui/text.tsx';
import { useRowsInView } from '../ui/use-rows-in-view.ts';
import { renderPlace } from '../url-state/place.ts';
import { isCallOf, nameAt, type Entry } from './entries.ts';
import { useEntryKeys } from './use-entry-keys.ts';

export interface EntryListProps {
  readonly store: Store;
  readonly entries: readonly Entry[];
  /** Called when the focus moves up from the first entry. */
  readonly onLeaveUp: () => void;
  readonly onVisit: () => void;
}

/** The same with and without a comment, so that the rows stay in place while the list is searched. */
const ROW_PX = 38;

export function EntryList({ store, entries, onLeaveUp, onVisit }: EntryListProps): VNode {
  const { box, first, end, scrollTo } = useRowsInView(entries.length, ROW_PX);
  const { active, onKeyDown } = useEntryKeys({ count: entries.length, box, scrollTo, onLeaveUp });
  const place = store.place.value;
  const current = entries.findIndex((entry) => isCurrent(entry, place));
  useEffect(() => {
    if (current >= 0) scrollTo(current);
  }, [current]);

  return (
    <div class="side-list" ref={box} onKeyDown={onKeyDown}>
      <ul style={{ height: `${entries.length * ROW_PX}px` }}>
        {entries.slice(first, end).map((entry, offset) => {
          const index = first + offset;
          return (
            <li
              key={entry.url}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              style={{ height: `${ROW_PX}px`, transform: `translateY(${index * ROW_PX}px)` }}
            >
              <a
                class="ui-row ui-gap-3 side-entry"
                data-index={index}
                href={renderPlace({ kind: 'request', schema: place.schema, url: entry.url, view: 'table' })}
                aria-current={index === current ? 'page' : undefined}
                tabIndex={index === Math.min(active.value, entries.length - 1) || index === current ? 0 : -1}
                onFocus={() => (active.value = index)}
                onClick={onVisit}
              >
                <EntryContent entry={entry} />
              </a>
              <a
                class="side-reference"
                href={renderPlace({ kind: 'reference', schema: place.schema, url: entry.url.split('?', 1)[0] ?? '' })}
                aria-label={`Reference of ${entry.name}`}
                title={`Reference of ${entry.name}`}
                tabIndex={index === current ? 0 : -1}
                onClick={onVisit}
              >
                <Icon name="book" />
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const KINDS: Readonly<Record<Entry['kind'], { readonly icon: IconName; readonly label: string }>> = {
  table: { icon: 'table', label: 'table' },
  view: { icon: 'view', label: 'view' },
  materializedView: { icon: 'materializedView', label: 'materialized view' },
  foreignTable: { icon: 'foreignTable', label: 'foreign table' },
  function: { icon: 'function', label: 'function' },
};

function EntryContent({ entry }: { readonly entry: Entry }): VNode {
  const { icon, label } = KINDS[entry.kind];
  return (
    <>
      <span class={`side-kind side-kind-${entry.kind}`} title={label}>
        <Icon name={icon} />
        <span class="ui-unseen">{label}</span>
      </span>
      <span class="ui-stack side-text">
        <Name text={entry.name} />
        {entry.comment === '' ? null : (
          <bdi class="side-comment" title={entry.comment}>
            {entry.comment}
          </bdi>
        )}
      </span>
      <Rights entry={entry} />
    </>
  );
}

function Rights({ entry: { kind, may } }: { readonly entry: Entry }): VNode | null {
  const rights = describeRights(kind, may);
  if (rights === undefined) return null;
  return (
    <span class="ui-row side-rights" title={rights.title}>
      {may.select ? null : <Icon name="lock" size={12} />}
      <span aria-hidden="true">{rights.text}</span>
      <span class="ui-unseen">{rights.title}</span>
    </span>
  );
}

interface Rights {
  readonly text: string;
  readonly title: string;
}

/** Returns undefined for read-only entries, which need no label. */
function describeRights(kind: Entry['kind'], may: Entry['may']): Rights | undefined {
  if (kind === 'function') return may.update ? { text: 'may write', title: 'May change data' } : undefined;
  const rights = (['insert', 'update', 'delete'] as const).filter((right) => may[right]);
  if (may.select && rights.length === 0) return undefined;
  const writes = rights.length === 3 ? 'writable' : rights.join(', ');
  const list = rights.length === 0 ? '' : `You may ${rights.join(', ')} rows`;
  const title = may.select ? list : [list, 'You cannot read it'].filter((part) => part !== '').join('. ');
  return { text: writes, title };
}

function isCurrent(entry: Entry, place: Parameters<typeof nameAt>[0]): boolean {
  return nameAt(place) === entry.name && isCallOf(place) === (entry.kind === 'function');
}

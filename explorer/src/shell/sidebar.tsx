// The sidebar: a searchable list of the schema, with the current role below.
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import { TokenButton } from '../tokens/token-button.tsx';
import { DOCUMENTATION } from '../client/documentation.ts';
import type { Store } from '../store/store.ts';
import { Brand } from '../ui/brand.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Kbd, Spinner } from '../ui/text.tsx';
import { renderPlace, type Place } from '../url-state/place.ts';
import { EntryList } from './entry-list.tsx';
import { listEntries, type Entry } from './entries.ts';
import { rankEntries } from './rank-entries.ts';
import { showToast } from '../ui/toast.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import { IconButton } from '../ui/button.tsx';
import './sidebar.css';

export interface SidebarProps {
  readonly store: Store;
  readonly onOpenToken: () => void;
  readonly onOpenHelp: () => void;
  /** Called when a link is followed. */
  readonly onVisit: () => void;
}

export function Sidebar({ store, onOpenToken, onOpenHelp, onVisit }: SidebarProps): VNode {
  const { schema } = store.place.value;
  return (
    <div class="ui-stack side">
      <div class="ui-stack ui-gap-4 side-head">
        <a class="side-brand" href={renderPlace({ kind: 'start', schema })} onClick={onVisit}>
          <Brand />
        </a>
        <nav aria-label="Pages" class="side-pages">
          <PageLink store={store} place={{ kind: 'start', schema }} icon="start" label="Start" onVisit={onVisit} />
          <PageLink
            store={store}
            place={{ kind: 'map', schema, focus: undefined }}
            icon="map"
            label="Map"
            onVisit={onVisit}
          />
          <PageLink store={store} place={{ kind: 'history', schema }} icon="clock" label="History" onVisit={onVisit} />
          {store.signingKey.value === undefined ? null : (
            <PageLink
              store={store}
              place={{ kind: 'access', schema, focus: undefined }}
              icon="shield"
              label="Access"
              onVisit={onVisit}
            />
          )}
          {hasConsole(store) ? (
            <PageLink store={store} place={{ kind: 'sql', schema }} icon="code" label="SQL" onVisit={onVisit} />
          ) : null}
        </nav>
        <SchemaSwitch store={store} />
      </div>
      <Contents store={store} onVisit={onVisit} />
      <div class="ui-row side-foot">
        <TokenButton store={store} onOpen={onOpenToken} />
        <ThemeMenu />
        <a
          class="ui-button ui-button-quiet ui-button-medium ui-button-square"
          href={DOCUMENTATION}
          target="_blank"
          rel="noopener"
          aria-label="Documentation"
          title="Documentation"
        >
          <Icon name="book" />
        </a>
        <IconButton icon="help" label="Help and keyboard shortcuts" onClick={onOpenHelp} />
      </div>
    </div>
  );
}

function hasConsole({ known }: Store): boolean {
  return known.value?.document.features.console === true;
}

interface PageLinkProps {
  readonly store: Store;
  readonly place: Place;
  readonly icon: IconName;
  readonly label: string;
  readonly onVisit: () => void;
}

function PageLink({ store, place, icon, label, onVisit }: PageLinkProps): VNode {
  const isHere = store.place.value.kind === place.kind;
  return (
    <a
      class="ui-row ui-gap-2 side-page"
      href={renderPlace(place)}
      aria-current={isHere ? 'page' : undefined}
      onClick={onVisit}
    >
      <Icon name={icon} />
      {label}
    </a>
  );
}

function SchemaSwitch({ store }: { readonly store: Store }): VNode | null {
  const schema = store.schema.value;
  if (schema.kind !== 'ready') return null;
  const { schemas, schema: shown } = schema.value.document;
  if (schemas.length < 2) return null;
  return (
    <SelectField
      label="Schema"
      value={shown}
      options={schemas.map((name) => ({ value: name, label: name }))}
      onValue={(name) => store.go({ kind: 'start', schema: name === schemas[0] ? undefined : name })}
    />
  );
}

function Contents({ store, onVisit }: { readonly store: Store; readonly onVisit: () => void }): VNode {
  const schema = store.schema.value;
  const typed = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const index = store.known.value;
  const entries = useMemo(() => (index === undefined ? [] : listEntries(index)), [index]);
  const found = rankEntries(entries, typed.value);
  const onKeyDown = (event: KeyboardEvent): void => {
    const [best] = found;
    if (event.key === 'Escape') typed.value = '';
    else if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('[data-index="0"]')?.focus();
    else if (event.key === 'Enter' && best !== undefined) {
      store.go({ kind: 'request', schema: store.place.value.schema, url: best.url, view: 'table' });
      onVisit();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="ui-stack side-contents" ref={list}>
      <search class="side-search">
        <Icon name="search" />
        <TextField
          ref={input}
          label="Search tables and functions"
          isLabelHidden
          type="search"
          placeholder="Search"
          value={typed.value}
          onValue={(value) => (typed.value = value)}
          onKeyDown={onKeyDown}
        />
        <Kbd>/</Kbd>
      </search>
      {schema.kind === 'loading' ? (
        <p class="side-note">
          <Spinner label="Loading the schema" />
        </p>
      ) : null}
      <div class="ui-row side-summary">
        <p class="side-count" role="status">
          {index === undefined ? '' : describeCount(entries, found, typed.value)}
        </p>
        <IconButton icon="refresh" label="Refresh the list" size="small" onClick={() => refresh(store)} />
      </div>
      <EntryList store={store} entries={found} onLeaveUp={() => input.current?.focus()} onVisit={onVisit} />
    </div>
  );
}

function refresh(store: Store): void {
  const shown = store.schema.peek();
  store.refresh((read) => {
    if (read.kind === 'failed') showToast('The schema could not be read.', 'danger');
    else showToast(store.schema.peek() === shown ? 'The schema has not changed.' : 'The schema was updated.', 'info');
  });
}

function describeCount(entries: readonly Entry[], found: readonly Entry[], typed: string): string {
  if (entries.length === 0) return 'No tables or functions are visible.';
  if (typed.trim() !== '') return found.length === 0 ? 'No matches.' : `${found.length} of ${entries.length}`;
  const functions = entries.filter((entry) => entry.kind === 'function').length;
  const relations = entries.length - functions;
  const hasViews = entries.some(({ kind }) => kind !== 'table' && kind !== 'function');
  const nouns = hasViews ? ['table or view', 'tables and views'] : ['table', 'tables'];
  return [
    `${relations} ${relations === 1 ? nouns[0] : nouns[1]}`,
    ...(functions === 0 ? [] : [`${functions} ${functions === 1 ? 'function' : 'functions'}`]),
  ].join(', ');
}

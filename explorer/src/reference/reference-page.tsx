// The reference of a relation or a function: structure, comments and examples of requests. Can be printed.
import type { ComponentChildren, VNode } from 'preact';
import { parseTarget } from '../../../src/request/target.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { PageHead, PageLink } from '../ui/page.tsx';
import { Spinner } from '../ui/text.tsx';
import type { PagePlace } from '../url-state/place.ts';
import { FunctionReference } from './function-reference.tsx';
import { RelationReference } from './relation-reference.tsx';
import './reference.css';

export interface ReferencePageProps {
  readonly store: Store;
  readonly place: PagePlace;
}

export function ReferencePage({ store, place }: ReferencePageProps): VNode {
  const schema = store.schema.value;
  if (schema.kind !== 'ready') {
    return (
      <div class="ui-page-waiting">
        <Spinner label="Loading the schema" />
      </div>
    );
  }
  return <Loaded {...{ store, place }} schema={schema.value} />;
}

function Loaded({ store, place, schema }: ReferencePageProps & { readonly schema: SchemaIndex }): VNode {
  const target = parseTarget(place.url.split('?', 1)[0] ?? '');
  if (target.ok && target.value.kind === 'relation') {
    const relation = schema.relations.get(target.value.name);
    if (relation !== undefined) {
      return (
        <Frame {...{ store, place }} kind={KINDS[relation.kind]} title={relation.name}>
          <RelationReference {...{ store, relation }} />
        </Frame>
      );
    }
  }
  const overloads = (target.ok && target.value.kind === 'routine' && schema.functions.get(target.value.name)) || [];
  const [first] = overloads;
  if (first === undefined) {
    return (
      <EmptyState icon="search" title="Your role sees no such table or function.">
        Enter another token, or choose an entry of the list.
      </EmptyState>
    );
  }
  return (
    <Frame
      {...{ store, place }}
      kind={overloads.length === 1 ? 'Function' : 'Function with overloads'}
      title={first.name}
    >
      {overloads.map((one, index) => (
        <FunctionReference key={index} store={store} function={one} />
      ))}
    </Frame>
  );
}

const KINDS = {
  table: 'Table',
  view: 'View',
  materializedView: 'Materialized view',
  foreignTable: 'Foreign table',
} as const;

interface FrameProps extends ReferencePageProps {
  readonly kind: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Frame({ store, place: { schema, url }, kind, title, children }: FrameProps): VNode {
  return (
    <article class="ui-page reference">
      <PageHead kind={kind} title={title}>
        <PageLink icon="play" label="Open" place={{ kind: 'request', schema, url, view: 'table' }} />
        {store.signingKey.value === undefined ? null : (
          <PageLink icon="shield" label="Access" place={{ kind: 'access', schema, focus: title }} />
        )}
        <Button size="small" icon="print" onClick={() => window.print()}>
          Print
        </Button>
      </PageHead>
      {children}
    </article>
  );
}

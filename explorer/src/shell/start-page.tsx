// The start page: what the role can access, five example requests, and the URL grammar.
import type { VNode } from 'preact';
import type { AllTables } from '../access/all-tables.tsx';
import { DOCUMENTATION } from '../client/documentation.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Deferred } from '../ui/deferred.tsx';
import { Icon } from '../ui/icon.tsx';
import { Code, Spinner } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';
import type { Example } from '../schema/example.ts';
import { makeExamples } from './examples.ts';
import { NoAccess } from './no-access.tsx';
import { UrlText } from '../ui/url-text.tsx';
import './start-page.css';

export interface StartPageProps {
  readonly store: Store;
  /** Whether the list of relations is in a drawer. */
  readonly isSideDrawer: boolean;
  readonly onOpenToken: () => void;
  readonly onOpenHelp: () => void;
}

export function StartPage(props: StartPageProps): VNode | null {
  const schema = props.store.schema.value;
  if (schema.kind === 'failed') return null;
  if (schema.kind === 'loading') {
    return (
      <div class="start-loading">
        <Spinner label="Loading the schema" />
      </div>
    );
  }
  const { relations, functions } = schema.value.document;
  const isEmpty = relations.length + functions.length === 0;
  return isEmpty ? (
    <div class="start">
      <OwnerView store={props.store} schema={schema.value} />
      <NoAccess {...props} document={schema.value.document} />
    </div>
  ) : (
    <FirstSteps {...props} schema={schema.value} />
  );
}

/** Loaded on demand: only `rowhouse dev` knows what the role does not see. */
async function loadAllTables(): Promise<typeof AllTables> {
  return (await import('../access/all-tables.tsx')).AllTables;
}

function OwnerView({ store, schema: { document } }: Pick<FirstStepsProps, 'store' | 'schema'>): VNode | null {
  const isKnown = document.features.console === true && store.signingKey.value !== undefined;
  return isKnown ? <Deferred load={loadAllTables} props={{ store, document }} waiting={null} /> : null;
}

interface FirstStepsProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly isSideDrawer: boolean;
  readonly onOpenHelp: () => void;
}

function FirstSteps({ store, schema, isSideDrawer, onOpenHelp }: FirstStepsProps): VNode {
  const { schema: name } = store.place.value;
  return (
    <div class="start">
      <StartHead {...{ schema, isSideDrawer }} />
      <OwnerView {...{ store, schema }} />
      <ol class="start-examples">
        {makeExamples(schema).map((example) => (
          <li key={example.url}>
            <ExampleLink example={example} schema={name} />
          </li>
        ))}
      </ol>
      <Grammar />
      <p class="start-more">
        <Button icon="help" onClick={onOpenHelp}>
          URL syntax and keyboard shortcuts
        </Button>
        <a class="ui-button ui-button-default" href={renderPlace({ kind: 'map', schema: name, focus: undefined })}>
          <Icon name="map" />
          Show the map of the tables
        </a>
        <a class="ui-button ui-button-default" href={DOCUMENTATION} target="_blank" rel="noopener">
          <Icon name="book" />
          Read the documentation
        </a>
      </p>
    </div>
  );
}

/** The comment that PostgreSQL gives the schema `public`. */
const DEFAULT_COMMENT = 'standard public schema';

function StartHead({ schema: { document }, isSideDrawer }: Pick<FirstStepsProps, 'schema' | 'isSideDrawer'>): VNode {
  const [title, ...about] = document.comment === DEFAULT_COMMENT ? [] : (document.comment?.split(/\n+/u) ?? []);
  return (
    <header class="ui-stack ui-gap-4 start-head">
      <h1>{title === undefined ? 'Every table is a URL' : <bdi>{title}</bdi>}</h1>
      {about.map((paragraph) => (
        <p key={paragraph}>
          <bdi>{paragraph}</bdi>
        </p>
      ))}
      <p>
        You see what the role <Code>{document.role}</Code> can access in the schema <Code>{document.schema}</Code>.{' '}
        {isSideDrawer ? 'Open the menu at the top to choose a table' : 'Choose an entry on the left'}, or start with one
        of these examples. Each is a live request; its URL works as is in curl or any program.
      </p>
    </header>
  );
}

interface ExampleLinkProps {
  readonly example: Example;
  readonly schema: string | undefined;
}

function ExampleLink({ example: { title, concept, url }, schema }: ExampleLinkProps): VNode {
  return (
    <a class="start-example" href={renderPlace({ kind: 'request', schema, url, view: 'table' })}>
      <bdi class="start-example-title">{title}</bdi>
      <UrlText url={url} />
      <span class="start-example-teaches">{concept}</span>
      <Icon name="chevronRight" />
    </a>
  );
}

/** An example request with labeled parts. */
function Grammar(): VNode {
  const parts = [
    ['/table', 'a table, a view, or /rpc/function'],
    ['select=', 'columns, and related tables with their columns'],
    ['column=operator.value', 'filters'],
    ['order=column.desc', 'order of rows'],
    ['limit= offset=', 'page'],
    ['POST PATCH DELETE', 'insert, update or delete rows, with JSON as the body'],
  ] as const;
  return (
    <section class="ui-stack ui-gap-4 start-grammar" aria-labelledby="start-grammar">
      <h2 id="start-grammar">Anatomy of a request</h2>
      <dl>
        {parts.map(([part, meaning]) => (
          <div key={part}>
            <dt>
              <code>{part}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

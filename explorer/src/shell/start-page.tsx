// The first page: what one may see here, five requests to begin with, and how a URL asks.
import type { VNode } from 'preact';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { Code, Spinner } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';
import type { Example } from './example.ts';
import { makeExamples } from './examples.ts';
import { UrlText } from './url-text.tsx';
import './start-page.css';

export interface StartPageProps {
  readonly store: Store;
  readonly onOpenToken: () => void;
  readonly onOpenHelp: () => void;
}

export function StartPage(props: StartPageProps): VNode | null {
  const schema = props.store.schema.value;
  if (schema.kind === 'failed') return null;
  if (schema.kind === 'loading') {
    return (
      <div class="start-loading">
        <Spinner label="Reading the schema" />
      </div>
    );
  }
  const { relations, functions } = schema.value.document;
  const isEmpty = relations.length + functions.length === 0;
  return isEmpty ? <NothingToSee {...props} schema={schema.value} /> : <FirstSteps {...props} schema={schema.value} />;
}

interface FirstStepsProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly onOpenHelp: () => void;
}

function FirstSteps({ store, schema, onOpenHelp }: FirstStepsProps): VNode {
  const { schema: name } = store.place.value;
  return (
    <div class="start">
      <StartHead schema={schema} />
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
          How URLs ask, and all keys
        </Button>
        <a class="ui-button ui-button-default" href={renderPlace({ kind: 'map', schema: name, focus: undefined })}>
          <Icon name="map" />
          See how the tables are related
        </a>
      </p>
    </div>
  );
}

function StartHead({ schema: { document } }: Pick<FirstStepsProps, 'schema'>): VNode {
  const [title, ...about] = document.comment?.split(/\n+/u) ?? [];
  return (
    <header class="start-head">
      <h1>{title === undefined ? 'Every table is a URL' : <bdi>{title}</bdi>}</h1>
      {about.map((paragraph) => (
        <p key={paragraph}>
          <bdi>{paragraph}</bdi>
        </p>
      ))}
      <p>
        You see what the role <Code>{document.role}</Code> may see of the schema <Code>{document.schema}</Code>. Pick
        something on the left, or begin with one of these: each is a request to this very server, and its URL is all
        there is to it: it works here, in curl and in every program.
      </p>
    </header>
  );
}

interface ExampleLinkProps {
  readonly example: Example;
  readonly schema: string | undefined;
}

function ExampleLink({ example: { title, teaches, url }, schema }: ExampleLinkProps): VNode {
  return (
    <a class="start-example" href={renderPlace({ kind: 'request', schema, url, view: 'table' })}>
      <bdi class="start-example-title">{title}</bdi>
      <UrlText url={url} />
      <span class="start-example-teaches">{teaches}</span>
      <Icon name="chevronRight" />
    </a>
  );
}

/** The parts of a request, named. */
function Grammar(): VNode {
  const parts = [
    ['/table', 'a table, a view, or /rpc/function'],
    ['select=', 'columns, and related tables in brackets'],
    ['column=operator.value', 'which rows'],
    ['order=column.desc', 'their order'],
    ['limit= offset=', 'the page'],
  ] as const;
  return (
    <section class="start-grammar" aria-labelledby="start-grammar">
      <h2 id="start-grammar">A request in one line</h2>
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

function NothingToSee({ store, schema, onOpenToken }: StartPageProps & { readonly schema: SchemaIndex }): VNode {
  const { role, schema: name } = schema.document;
  const hasToken = store.token.value !== undefined;
  return (
    <EmptyState
      icon="lock"
      title={<h1>There is nothing here for this role</h1>}
      action={
        <>
          <Button variant="primary" icon="key" onClick={onOpenToken}>
            {hasToken ? 'Enter another token' : 'Enter a token'}
          </Button>
          <Button icon="refresh" onClick={() => store.reload()}>
            Look again
          </Button>
        </>
      }
    >
      {hasToken ? 'With this token you are ' : 'Without a token you are '}
      <Code>{role}</Code>, who may use nothing in the schema <Code>{name}</Code>; or the schema has no tables yet. A
      token of another role may show more, and so does a grant: <Code>grant select on … to {role}</Code>.
    </EmptyState>
  );
}

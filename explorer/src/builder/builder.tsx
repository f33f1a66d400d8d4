// The query builder: shows the current request as inputs beside its response. Each change updates the URL.
import { useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/text.tsx';
import { parseUrl } from '../url-state/parse-url.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderRequestPath, renderUrl } from '../url-state/render-url.ts';
import { type Level, sourceOfTarget } from './level.ts';
import { LevelPanel } from './level-panel.tsx';
import { describeUnshown } from './unshown.ts';
import './builder.css';

export function Builder({ store }: { readonly store: Store }): VNode | null {
  const place = store.place.value;
  const schema = store.schema.value;
  if (place.kind !== 'request') return null;
  if (schema.kind === 'loading') return <Spinner label="Loading the schema" />;
  if (schema.kind === 'failed')
    return <p class="builder-note">The builder is unavailable because the schema could not be loaded.</p>;
  return <RequestBuilder {...{ store, place }} schema={schema.value} />;
}

interface RequestBuilderProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly schema: SchemaIndex;
}

function RequestBuilder({ store, place, schema }: RequestBuilderProps): VNode {
  const lastGood = useRef<QueryModel | undefined>(undefined);
  const parsed = parseUrl(place.url, schema.document.dialect);
  if (!parsed.ok) {
    const back = lastGood.current;
    const url = back && renderUrl(back);
    return <Unreadable url={url} onUrl={(good) => store.go({ ...place, url: good })} />;
  }
  lastGood.current = parsed.value;
  const level: Level = {
    store,
    schema,
    model: parsed.value,
    path: [],
    source: sourceOfTarget(schema, parsed.value.path),
    change: (model, step = 'push') => store.go({ ...place, url: renderUrl(model) }, step),
  };
  return (
    <div class="ui-stack builder">
      <LevelPanel key={renderRequestPath(parsed.value.path)} level={level} />
      <Unshown model={parsed.value} />
    </div>
  );
}

interface UnreadableProps {
  readonly url: string | undefined;
  readonly onUrl: (url: string) => void;
}

function Unreadable({ url, onUrl }: UnreadableProps): VNode {
  return (
    <div class="ui-stack builder">
      <div class="builder-problem" role="status">
        <p>The builder cannot show this URL because it is invalid.</p>
        {url === undefined ? null : (
          <Button size="small" icon="undo" title={url} onClick={() => onUrl(url)}>
            Back to the last valid URL
          </Button>
        )}
      </div>
    </div>
  );
}

function Unshown({ model }: { readonly model: QueryModel }): VNode | null {
  const parameters = describeUnshown(model);
  if (parameters.length === 0) return null;
  return (
    <section class="builder-unshown" aria-label="Other parameters">
      <h2>Other parameters</h2>
      <ul>
        {parameters.map((parameter, index) => (
          <li key={index}>
            <code class="builder-code">{parameter}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Offers to make the query of the last run a view or a function of the API.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { type PastRun, queryOf } from './past-run.ts';
import type { Publication } from './publication.ts';
import { PublishDialog } from './publish-dialog.tsx';

interface PublishButtonsProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly past: PastRun | undefined;
}

export function PublishButtons({ store, schema, past }: PublishButtonsProps): VNode {
  const [kind, setKind] = useState<Publication['kind'] | undefined>(undefined);
  const query = past && queryOf(past);
  const title = query === undefined ? 'Run a query first' : '';
  return (
    <span class="sql-publish">
      <Button icon="view" disabled={query === undefined} title={title} onClick={() => setKind('view')}>
        Make it a view
      </Button>
      <Button icon="function" disabled={query === undefined} title={title} onClick={() => setKind('function')}>
        Make it a function
      </Button>
      {kind === undefined || query === undefined ? null : (
        <PublishDialog {...{ store, schema, kind, query }} onClose={() => setKind(undefined)} />
      )}
    </span>
  );
}

// Offers to insert related rows with a new row.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Deferred } from '../ui/deferred.tsx';
import { listRelatedTables } from './related-members.ts';
import type { RelatedRowsForm, RelatedRowsFormProps } from './related-rows-form.tsx';

export interface RelatedSectionProps extends Omit<RelatedRowsFormProps, 'tables'> {
  readonly problem: string | undefined;
}

async function loadForm(): Promise<typeof RelatedRowsForm> {
  return (await import('./related-rows-form.tsx')).RelatedRowsForm;
}

export function RelatedSection({ problem, ...props }: RelatedSectionProps): VNode | null {
  const { schema, relation } = props;
  const [isOpen, setOpen] = useState(false);
  const tables = useMemo(() => listRelatedTables(schema, relation), [schema, relation]);
  if (tables.length === 0) return null;
  if (!isOpen) {
    return (
      <div>
        <Button size="small" icon="plus" onClick={() => setOpen(true)}>
          Add related rows
        </Button>
      </div>
    );
  }
  return (
    <>
      <Deferred load={loadForm} props={{ ...props, tables }} />
      {problem === undefined ? null : (
        <p class="ui-field-error" role="status">
          {problem}
        </p>
      )}
    </>
  );
}

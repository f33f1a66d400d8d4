// Below the editor, before the first run: what it is for, and a query to begin with.
import type { VNode } from 'preact';
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';

interface NoRunProps {
  readonly schema: SchemaIndex;
  /** Undefined if there is a text already. */
  readonly onExample: ((sql: string) => void) | undefined;
}

export function NoRun({ schema, onExample }: NoRunProps): VNode {
  const example = exampleOf(schema);
  return (
    <EmptyState
      icon="code"
      title="No result yet."
      action={
        onExample === undefined || example === undefined ? undefined : (
          <Button onClick={() => onExample(example)}>Insert an example</Button>
        )
      }
    >
      Run a query to see its rows here. You can then make it a view or a function of the API.
    </EmptyState>
  );
}

function exampleOf({ document: { schema, relations } }: SchemaIndex): string | undefined {
  const relation = relations.find(({ may }) => may.select);
  return relation && `select *\nfrom ${spellIdentifier(schema)}.${spellIdentifier(relation.name)}\nlimit 20;`;
}

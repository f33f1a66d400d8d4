// SQL to read and copy. The explorer never runs it.
import type { VNode } from 'preact';
import { copyText } from '../copy/copy-text.ts';
import { Button } from '../ui/button.tsx';

export function SqlBlock({ title, sql }: { readonly title: string; readonly sql: string }): VNode {
  return (
    <section class="access-sql" aria-label={title}>
      <div class="ui-row access-sql-head">
        <h4>
          <bdi>{title}</bdi>
        </h4>
        <Button
          size="small"
          variant="quiet"
          icon="copy"
          aria-label={`Copy: ${title}`}
          onClick={() => void copyText(sql)}
        >
          Copy
        </Button>
      </div>
      <pre tabIndex={0} aria-label={`SQL: ${title}`}>
        {sql}
      </pre>
    </section>
  );
}

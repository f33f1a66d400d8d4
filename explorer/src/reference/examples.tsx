// Examples of requests in a chosen language, each with a button to copy it.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { copyText } from '../copy/copy-text.ts';
import { describeCopied } from '../copy/describe-copied.ts';
import { type FormatId, formatsFor } from '../copy/formats.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { ExampleRequest } from './example-request.ts';

export interface ExamplesProps {
  readonly store: Store;
  readonly examples: readonly ExampleRequest[];
}

const FORMATS = formatsFor({ method: 'POST' });

export function Examples({ store, examples }: ExamplesProps): VNode | null {
  const [format, setFormat] = useState<FormatId>('curl');
  if (examples.length === 0) return null;
  const render = FORMATS.find(({ id }) => id === format)?.render;
  return (
    <section aria-labelledby="reference-examples">
      <div class="reference-examples-head">
        <h3 id="reference-examples">Examples</h3>
        <Tabs label="Language" tabs={FORMATS} selected={format} onSelect={setFormat} />
      </div>
      {examples.map(({ title, request }) => {
        const text = render?.(describeCopied({ store, request, isTokenShown: false })) ?? '';
        return (
          <section key={title} class="reference-example" aria-label={title}>
            <div class="reference-example-head">
              <h4>{title}</h4>
              <Button
                size="small"
                variant="quiet"
                icon="copy"
                aria-label={`Copy: ${title}`}
                onClick={() => void copyText(text)}
              >
                Copy
              </Button>
            </div>
            <pre tabIndex={0} aria-label={title}>
              {text}
            </pre>
          </section>
        );
      })}
    </section>
  );
}

// One request of a batch, with its body, and with its response once it is sent.
import type { VNode } from 'preact';
import { printJson } from '../forms/value-json.ts';
import { IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/text.tsx';
import { UrlText } from '../ui/url-text.tsx';
import type { BasketEntry } from '../store/basket.ts';
import type { BatchAnswer } from './batch-request.ts';

export interface BasketItemProps {
  readonly entry: BasketEntry;
  readonly answer?: BatchAnswer | undefined;
  /** Whether the batch failed because of this request. */
  readonly hasFailed?: boolean | undefined;
  readonly onMoveUp?: ((entry: BasketEntry) => void) | undefined;
  readonly onRemove?: ((entry: BasketEntry) => void) | undefined;
}

export function BasketItem({ entry, answer, hasFailed, onMoveUp, onRemove }: BasketItemProps): VNode {
  const { method, url, body } = entry.request;
  return (
    <li class={hasFailed === true ? 'basket-item basket-item-failed' : 'basket-item'}>
      <div class="ui-row ui-gap-2 basket-head">
        <Badge tone="warning">{method}</Badge>
        <UrlText url={url} />
        {answer === undefined ? null : <Badge tone="success">{answer.status}</Badge>}
        {hasFailed === true ? <Badge tone="danger">Failed</Badge> : null}
        {onMoveUp === undefined ? null : (
          <IconButton icon="arrowUp" label="Move up" size="small" onClick={() => onMoveUp(entry)} />
        )}
        {onRemove === undefined ? null : (
          <IconButton icon="trash" label="Remove" size="small" onClick={() => onRemove(entry)} />
        )}
      </div>
      {body === undefined || answer !== undefined ? null : <Text label="Body" text={body} />}
      {answer?.body === undefined ? null : <Text label="Response" text={printJson(answer.body)} />}
    </li>
  );
}

const MAX_SHOWN = 2000;

function Text({ label, text }: { readonly label: string; readonly text: string }): VNode {
  return (
    <pre class="forms-answer" tabIndex={0} aria-label={label}>
      <bdi>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}</bdi>
    </pre>
  );
}

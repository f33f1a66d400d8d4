// The request bar at the top of the page: the URL, its errors, and the buttons to send and cancel.
import type { ComponentChildren, VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import type { RequestProblem } from './find-problem.ts';
import { UrlField } from './url-field.tsx';
import { useRequestDraft } from './use-request-draft.ts';
import './request-bar.css';

export interface RequestBarProps {
  readonly store: Store;
  /** Additional buttons after the send button. */
  readonly children?: ComponentChildren;
}

export function RequestBar({ store, children }: RequestBarProps): VNode {
  const draft = useRequestDraft(store);
  const isRunning = store.exchange.value?.kind === 'running';
  const { problem, about, isChanged } = draft;
  const isRunnable = isChanged.value || store.canRun.value || store.schema.value.kind !== 'ready';
  return (
    <div class={problem.value === undefined ? 'request-bar' : 'request-bar request-bar-wrong'}>
      <div class="request-bar-line">
        <span class="request-bar-method">GET</span>
        <UrlField store={store} draft={draft} />
        {isRunning && !isChanged.value ? (
          <Button icon="stop" size="small" onClick={() => store.cancel()}>
            Cancel
          </Button>
        ) : isRunnable ? (
          <Button icon="play" size="small" variant={isChanged.value ? 'primary' : 'default'} onClick={draft.send}>
            Run
          </Button>
        ) : null}
        {children}
      </div>
      <div role="status">{problem.value?.message === undefined ? null : <Problem {...problem.value} />}</div>
      {about.value === undefined || problem.value !== undefined ? null : <p class="request-bar-about">{about.value}</p>}
    </div>
  );
}

function Problem({ message, details, hint }: RequestProblem): VNode {
  return (
    <div class="request-bar-problem">
      <p class="request-bar-message">{message}</p>
      {details === undefined ? null : <p>{details}</p>}
      {hint === undefined ? null : <p class="request-bar-hint">Hint: {hint}</p>}
    </div>
  );
}

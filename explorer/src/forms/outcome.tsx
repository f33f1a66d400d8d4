// The outcome of a form: the server's error, or the result of a dry run.
import type { VNode } from 'preact';
import { parseJson } from '../rows/json-value.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageLink } from '../ui/page.tsx';
import type { PagePlace } from '../url-state/place.ts';
import type { FormError } from './form-error.ts';
import type { SendingState } from './use-sending.ts';
import { printJson } from './value-json.ts';

export interface OutcomeProps {
  readonly state: SendingState;
  /** Whether the fields named in the error already show it. */
  readonly shownAtFields?: boolean;
  /** Reads the row again, after somebody else has changed it. */
  readonly onReload?: (() => void) | undefined;
  /** Leads to the page that explains why a privilege or a policy refuses the row. */
  readonly whyPlace?: PagePlace | undefined;
}

export function Outcome({ state, shownAtFields, onReload, whyPlace }: OutcomeProps): VNode | null {
  if (state.kind === 'failed')
    return <ErrorNotice error={state.error} isShort={shownAtFields ?? false} {...{ onReload, whyPlace }} />;
  if (state.kind !== 'dryRunSucceeded') return null;
  const { text } = state.response;
  const value = parseJson(text);
  return (
    <Notice tone="success" title="The dry run succeeded. Nothing was changed.">
      {text === '' ? null : (
        <pre class="forms-answer" tabIndex={0} aria-label="Result of the dry run">
          <bdi>{value === undefined ? text : printJson(value)}</bdi>
        </pre>
      )}
    </Notice>
  );
}

interface ErrorNoticeProps extends Pick<OutcomeProps, 'onReload' | 'whyPlace'> {
  readonly error: FormError;
  readonly isShort: boolean;
}

function ErrorNotice({ error, isShort, onReload, whyPlace }: ErrorNoticeProps): VNode {
  const { message, details, hint } = error;
  return (
    <Notice
      tone="danger"
      title={<bdi>{isShort ? 'The server rejected a value below.' : message}</bdi>}
      hint={hint === undefined ? undefined : <bdi>{hint}</bdi>}
      action={
        error.isOutdated === true && onReload !== undefined ? (
          <Button size="small" onClick={onReload}>
            Load the current values
          </Button>
        ) : error.isDenied === true && whyPlace !== undefined ? (
          <PageLink icon="shield" label="Why can't I insert it?" place={whyPlace} />
        ) : undefined
      }
    >
      {details === undefined ? undefined : <bdi>{details}</bdi>}
    </Notice>
  );
}

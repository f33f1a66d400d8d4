// The buttons below a form: a dry run, if the server allows it, and send.
import type { VNode } from 'preact';
import type { OutgoingRequest } from '../client/exchange.ts';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/text.tsx';
import type { Sending } from './use-sending.ts';

export interface FormFooterProps {
  /** Id of the form that the last button submits. */
  readonly formId: string;
  readonly sending: Sending;
  /** Undefined if the input is invalid; then `onBlocked` shows why. */
  readonly request: OutgoingRequest | undefined;
  readonly onBlocked?: (() => void) | undefined;
  /** Why the buttons are disabled. */
  readonly blockedReason?: string | undefined;
  readonly label: string;
  readonly isDangerous?: boolean | undefined;
  readonly canDryRun: boolean;
  /** Adds the request to a batch; undefined if it cannot be part of one. */
  readonly onCollect?: ((request: OutgoingRequest) => void) | undefined;
  readonly onCancel: () => void;
}

export function FormFooter(props: FormFooterProps): VNode {
  const { formId, sending, request, label, canDryRun, onCancel, onBlocked, onCollect } = props;
  const isSending = sending.state.kind === 'sending';
  // Not disabled while sending, because that would lose the focus. A second click has no effect then.
  const isDisabled = request === undefined && onBlocked === undefined;
  return (
    <>
      {isSending ? <Spinner label="Sending" /> : null}
      {isDisabled && props.blockedReason !== undefined ? (
        <span id={`${formId}-reason`} class="forms-note forms-reason">
          {props.blockedReason}
        </span>
      ) : null}
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
      {onCollect === undefined ? null : (
        <Button
          disabled={isDisabled}
          title="Collect the request, to send several at once"
          onClick={() => (request === undefined ? onBlocked?.() : onCollect(request))}
        >
          Add to batch
        </Button>
      )}
      {canDryRun ? (
        <Button
          disabled={isDisabled}
          title="Run the request and roll it back, so that nothing changes"
          onClick={() => (request === undefined ? onBlocked?.() : sending.dryRun(request))}
        >
          Dry run
        </Button>
      ) : null}
      <Button
        type="submit"
        form={formId}
        variant={props.isDangerous ? 'danger' : 'primary'}
        disabled={isDisabled}
        aria-describedby={isDisabled && props.blockedReason !== undefined ? `${formId}-reason` : undefined}
      >
        {label}
      </Button>
    </>
  );
}

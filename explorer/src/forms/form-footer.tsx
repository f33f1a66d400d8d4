// The buttons below a form: rehearse where the server allows it, and send.
import type { VNode } from 'preact';
import type { OutgoingRequest } from '../client/exchange.ts';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/text.tsx';
import type { Sending } from './use-sending.ts';

export interface FormFooterProps {
  /** That the last button submits. */
  readonly formId: string;
  readonly sending: Sending;
  /** undefined where what was entered makes no request; `onBlocked` then tells why. */
  readonly request: OutgoingRequest | undefined;
  readonly onBlocked?: (() => void) | undefined;
  readonly label: string;
  readonly isDangerous?: boolean | undefined;
  readonly canRehearse: boolean;
  readonly onCancel: () => void;
}

export function FormFooter(props: FormFooterProps): VNode {
  const { formId, sending, request, label, canRehearse, onCancel, onBlocked } = props;
  const isSending = sending.state.kind === 'sending';
  // Not while it is under way: a button that is disabled loses the focus. What is sent twice is sent once.
  const isDisabled = request === undefined && onBlocked === undefined;
  return (
    <>
      {isSending ? <Spinner label="Sending" /> : null}
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
      {canRehearse ? (
        <Button
          disabled={isDisabled}
          title="Send it and undo it: nothing is kept"
          onClick={() => (request === undefined ? onBlocked?.() : sending.rehearse(request))}
        >
          Rehearse
        </Button>
      ) : null}
      <Button type="submit" form={formId} variant={props.isDangerous ? 'danger' : 'primary'} disabled={isDisabled}>
        {label}
      </Button>
    </>
  );
}

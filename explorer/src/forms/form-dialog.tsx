// The dialog around every form, with the outcome at the top and the request at the bottom.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { collect } from '../store/basket.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { PagePlace } from '../url-state/place.ts';
import { FormFooter, type FormFooterProps } from './form-footer.tsx';
import { Outcome } from './outcome.tsx';
import { RequestPreview } from './request-preview.tsx';
import './forms.css';

export interface FormDialogProps extends Omit<FormFooterProps, 'canDryRun' | 'formId' | 'onCollect'> {
  readonly store: Store;
  readonly title: ComponentChildren;
  readonly request: OutgoingRequest | undefined;
  readonly isErrorAtFields?: boolean | undefined;
  /** Whether the request is a batch itself. */
  readonly isBatch?: boolean | undefined;
  /** Reads the row again, after somebody else has changed it. */
  readonly onReload?: (() => void) | undefined;
  /** Leads to the page that explains why a privilege or a policy refuses the row. */
  readonly whyPlace?: PagePlace | undefined;
  readonly width?: 'narrow' | 'medium' | 'wide' | undefined;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormDialogProps): VNode {
  const { store, title, sending, request, width, children, onCancel } = props;
  const id = useId();
  const [hasInput, setInput] = useState(false);
  const noteInput = (): void => setInput(true);
  const top = useRef<HTMLFormElement>(null);
  const { kind } = sending.state;
  useEffect(() => {
    if (kind === 'failed' || kind === 'dryRunSucceeded') top.current?.scrollIntoView({ block: 'nearest' });
  }, [sending.state, kind]);
  const features = store.known.value?.document.features;
  const add = (added: OutgoingRequest): void => {
    collect(added, store.place.peek().schema);
    onCancel();
  };
  const onCollect = features?.extensions?.includes('batch') === true && props.isBatch !== true ? add : undefined;
  return (
    <Dialog
      title={title}
      placement="right"
      width={width}
      isOpen
      onClose={onCancel}
      hasInput={hasInput}
      footer={
        <>
          <RequestPreview store={store} request={request} />
          <FormFooter {...props} {...{ onCollect }} formId={id} canDryRun={features?.rollback ?? false} />
        </>
      }
    >
      <form
        id={id}
        ref={top}
        class="ui-stack forms"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (request === undefined) props.onBlocked?.();
          else sending.send(request);
        }}
        onKeyDown={keepEnter}
        onInput={noteInput}
        onChange={noteInput}
      >
        <Outcome
          state={sending.state}
          shownAtFields={props.isErrorAtFields ?? false}
          onReload={props.onReload}
          whyPlace={props.whyPlace}
        />
        {children}
      </form>
    </Dialog>
  );
}

/** In a combobox, Enter selects the active row instead of submitting the form. */
function keepEnter(event: KeyboardEvent): void {
  const isChoosing = event.target instanceof HTMLElement && event.target.getAttribute('role') === 'combobox';
  if (event.key === 'Enter' && isChoosing) event.preventDefault();
}

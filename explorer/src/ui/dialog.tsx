// A modal dialog, centered or as a drawer. Escape, the close button and a click outside close it.
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { IconButton } from './button.tsx';
import './dialog.css';

export interface DialogProps {
  readonly title: ComponentChildren;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the bottom, primary last. */
  readonly footer?: ComponentChildren;
  readonly placement?: 'middle' | 'left' | 'right' | undefined;
  readonly width?: 'narrow' | 'medium' | 'wide' | undefined;
}

export function Dialog(props: DialogProps): VNode | null {
  return props.isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ title, onClose, children, footer, placement = 'middle', width = 'medium' }: DialogProps): VNode {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    firstFocus(element.current, placement)?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      class={`ui-dialog ui-dialog-${placement} ui-dialog-${width}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="ui-dialog-frame">
        <header class="ui-dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" size="small" onClick={onClose} />
        </header>
        <div class="ui-dialog-body">{children}</div>
        {footer === undefined ? null : <footer class="ui-dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}

/** Focuses the first input of a dialog, but not in a drawer, which is mainly for reading. */
function firstFocus(dialog: HTMLElement | null, placement: DialogProps['placement']): HTMLElement | null {
  const field = dialog?.querySelector<HTMLElement>('.ui-dialog-body :is(input, textarea, select):not(:disabled)');
  return placement === 'middle' ? (field ?? dialog) : dialog;
}

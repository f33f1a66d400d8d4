// A modal dialog, centered or as a drawer. Escape, the close button, a click outside and leaving the page close it, but
// ask first if it contains input.
import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { Button, IconButton } from './button.tsx';
import './dialog.css';

const slots = signal<readonly HTMLElement[]>([]);

/** Returns where the topmost open dialog shows notices about the page, which it covers and makes inert. Reads a signal. */
export function findNoticeSlot(): HTMLElement | undefined {
  return slots.value.at(-1);
}

export interface DialogProps {
  readonly title: ComponentChildren;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the bottom, primary last. */
  readonly footer?: ComponentChildren;
  readonly placement?: 'middle' | 'left' | 'right' | undefined;
  readonly width?: 'narrow' | 'medium' | 'wide' | undefined;
  /** Whether closing the dialog would lose what the user has entered. */
  readonly hasInput?: boolean | undefined;
}

export function Dialog(props: DialogProps): VNode | null {
  return props.isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: DialogProps): VNode {
  const { title, onClose, children, footer, placement = 'middle', width = 'medium', hasInput = false } = props;
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  /** Escape answers the question with no. */
  const dismiss = (): void => {
    if (hasInput) setAsking((was) => !was);
    else onClose();
  };
  const element = useRef<HTMLDialogElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const slot = notices.current;
    element.current?.showModal();
    firstFocus(element.current, placement)?.focus();
    if (slot !== null) slots.value = [...slots.peek(), slot];
    return () => {
      slots.value = slots.peek().filter((other) => other !== slot);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  // A browser lets a page prevent only the first of two `cancel` events. While the focus moves, no element has it.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const topmost = [...document.querySelectorAll('dialog[open]')].at(-1);
      if (event.key !== 'Escape' || event.defaultPrevented || topmost !== element.current) return;
      event.preventDefault();
      dismiss();
    };
    // Back, Forward, a link or another address: the page behind the dialog is another one.
    const onLeave = (): void => {
      if (hasInput) setAsking(true);
      else onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    addEventListener('hashchange', onLeave);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      removeEventListener('hashchange', onLeave);
    };
  }, [hasInput, onClose]);
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      class={`ui-dialog ui-dialog-${placement} ui-dialog-${width}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onMouseDown={(event) => {
        if (event.target !== element.current) return;
        if (hasInput) setAsking(true);
        else onClose();
      }}
    >
      <div class="ui-stack ui-dialog-frame">
        <header class="ui-row ui-gap-4 ui-dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" size="small" onClick={dismiss} />
        </header>
        <div ref={notices} class="ui-dialog-notices" />
        <div class="ui-dialog-body">{children}</div>
        {isAsking ? <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} /> : null}
        {footer === undefined ? null : (
          <footer class="ui-row ui-wrap ui-gap-3 ui-dialog-foot" hidden={isAsking}>
            {footer}
          </footer>
        )}
      </div>
    </dialog>
  );
}

interface DiscardQuestionProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** In place of the footer. Returns the focus to the input. */
function DiscardQuestion({ onKeep, onDiscard }: DiscardQuestionProps): VNode {
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    question.current?.querySelector<HTMLElement>('button:last-child')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div ref={question} class="ui-row ui-wrap ui-gap-3 ui-dialog-foot ui-dialog-question" role="alert">
      <span>Discard what you entered?</span>
      <Button variant="danger" onClick={onDiscard}>
        Discard
      </Button>
      <Button variant="primary" onClick={onKeep}>
        Keep editing
      </Button>
    </div>
  );
}

/** Focuses the first input of a dialog, but not in a drawer, which is mainly for reading. */
function firstFocus(dialog: HTMLElement | null, placement: DialogProps['placement']): HTMLElement | null {
  const field = dialog?.querySelector<HTMLElement>('.ui-dialog-body :is(input, textarea, select):not(:disabled)');
  return placement === 'middle' ? (field ?? dialog) : dialog;
}

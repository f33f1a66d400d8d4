// A menu at a point of the window. Escape, a click elsewhere, and leaving it by Tab close it.
import { useEffect, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import { itemsOf, MenuEntry, type MenuItem, moveFocus } from './menu.tsx';
import './menu.css';

export interface ContextMenuProps {
  readonly label: string;
  /** Distance from the top left corner of the window. */
  readonly at: { readonly xPx: number; readonly yPx: number };
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

const MARGIN_PX = 8;

export function ContextMenu({ label, at, items, onClose }: ContextMenuProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const element = list.current;
    element?.showPopover();
    if (element !== null) placeAt(element, at);
    if (element !== null) itemsOf(element)[0]?.focus();
    const closeOutside = (event: Event): void => {
      if (!(event.target instanceof Node) || element?.contains(event.target) !== true) onClose();
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('blur', onClose);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('blur', onClose);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div
      ref={list}
      // Opened between press and release of a button, which would close an automatic popover.
      popover="manual"
      role="menu"
      aria-label={label}
      class="ui-menu"
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Tab') onClose();
        if (event.key === 'Escape') event.preventDefault();
        moveFocus(event);
      }}
    >
      {items.map((item, index) => (
        <MenuEntry key={index} item={item} close={onClose} />
      ))}
    </div>
  );
}

function placeAt(element: HTMLElement, { xPx, yPx }: ContextMenuProps['at']): void {
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(MARGIN_PX, Math.min(xPx, window.innerWidth - width - MARGIN_PX))}px`;
  element.style.top = `${Math.max(MARGIN_PX, Math.min(yPx, window.innerHeight - height - MARGIN_PX))}px`;
}

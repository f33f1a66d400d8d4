// A button that opens a menu of actions. Arrow keys move, Escape and a click outside close it.
import { useId, useRef } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { Button, IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { placeBelow } from './place-below.ts';
import './menu.css';

export interface MenuItem {
  readonly label: ComponentChildren;
  readonly icon?: IconName | undefined;
  /** Small text on the right, such as a key or a type. */
  readonly note?: ComponentChildren;
  /** Whether this choice is selected, if items are choices. */
  readonly isChecked?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isDangerous?: boolean | undefined;
  readonly onSelect: () => void;
}

export interface MenuProps {
  /** Text of the button, or its accessible name with `isIconOnly`. */
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly isIconOnly?: boolean | undefined;
  readonly variant?: 'default' | 'primary' | 'quiet' | undefined;
  readonly size?: 'medium' | 'small' | undefined;
  readonly items: readonly MenuItem[];
}

export function Menu({ label, icon, isIconOnly = false, variant, size, items }: MenuProps): VNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const opened = (event: { readonly newState: string }): void => {
    const isOpen = event.newState === 'open';
    button.current?.setAttribute('aria-expanded', String(isOpen));
    if (list.current === null || button.current === null || !isOpen) return;
    placeBelow(list.current, button.current);
    itemsOf(list.current)[0]?.focus();
  };
  const shared = { ref: button, popovertarget: id, 'aria-haspopup': 'menu', 'aria-expanded': false, size } as const;
  return (
    <>
      {isIconOnly ? (
        <IconButton {...shared} variant={variant ?? 'quiet'} icon={icon ?? 'more'} label={label} />
      ) : (
        <Button {...shared} variant={variant} icon={icon}>
          {label}
          <Icon name="chevronDown" size={12} />
        </Button>
      )}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class="ui-menu"
        onToggle={opened}
        onKeyDown={moveFocus}
      >
        {items.map((item, index) => (
          <MenuEntry key={index} item={item} close={() => list.current?.hidePopover()} />
        ))}
      </div>
    </>
  );
}

export function MenuEntry({ item, close }: { readonly item: MenuItem; readonly close: () => void }): VNode {
  const select = (): void => {
    close();
    item.onSelect();
  };
  return (
    <button
      type="button"
      role={item.isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      {...(item.isChecked === undefined ? {} : { 'aria-checked': item.isChecked })}
      class={`ui-menu-item${item.isDangerous ? ' ui-menu-item-danger' : ''}`}
      tabIndex={-1}
      disabled={item.isDisabled ?? false}
      onClick={select}
    >
      {item.icon === undefined ? null : <Icon name={item.icon} />}
      <span class="ui-menu-label">{item.label}</span>
      {item.note === undefined ? null : <span class="ui-menu-note">{item.note}</span>}
      {item.isChecked ? <Icon name="check" size={14} /> : null}
    </button>
  );
}

export function itemsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('button:not(:disabled)')];
}

export function moveFocus(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((item) => item === document.activeElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[event.key];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}

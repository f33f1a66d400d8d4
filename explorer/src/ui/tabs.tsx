// Tabs to choose a view. Arrow keys move between them.
import type { ComponentChildren, VNode } from 'preact';
import './tabs.css';

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: ComponentChildren; readonly title?: string | undefined }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** Id of the element that shows the selected view. */
  readonly controls?: string | undefined;
}

export function Tabs<Id extends string>({ label, tabs, selected, onSelect, controls }: TabsProps<Id>): VNode {
  const move = (event: KeyboardEvent): void => {
    const next =
      tabs[nextIndex(event.key, { index: tabs.findIndex((tab) => tab.id === selected), count: tabs.length })];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    if (event.currentTarget instanceof HTMLElement)
      event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="ui-tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          class="ui-tab"
          data-tab={tab.id}
          title={tab.title ?? ''}
          aria-selected={tab.id === selected}
          {...(controls === undefined ? {} : { 'aria-controls': controls })}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

function nextIndex(key: string, { index, count }: { readonly index: number; readonly count: number }): number {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}

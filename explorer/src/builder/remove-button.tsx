// Removes the item that contains the button. Moves the focus to the head of the section, because the button disappears.
import type { VNode } from 'preact';
import { IconButton } from '../ui/button.tsx';

export function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }): VNode {
  return (
    <IconButton
      icon="close"
      size="small"
      label={label}
      onClick={(event) => {
        const section = event.currentTarget instanceof Element && event.currentTarget.closest('details');
        if (section) section.querySelector('summary')?.focus();
        onRemove();
      }}
    />
  );
}

// Takes away the thing that it stands on. The focus goes to the head of the section: what had it is gone then.
import type { VNode } from 'preact';
import { IconButton } from '../ui/button.tsx';

export interface RemoveButtonProps {
  readonly label: string;
  readonly onRemove: () => void;
}

export function RemoveButton({ label, onRemove }: RemoveButtonProps): VNode {
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

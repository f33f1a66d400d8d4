// Says once how to edit a cell: until it is closed, or until the next table after the first edit.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useMedia } from '../ui/use-media.ts';

const KEY = 'rowhouse.edit-hint';

export function EditHint(): VNode | null {
  const [isSeen, setSeen] = useState(() => localStorage.getItem(KEY) !== null);
  const isTouch = useMedia('(pointer: coarse)');
  if (isSeen) return null;
  const close = (): void => {
    markHintSeen();
    setSeen(true);
  };
  return (
    <p class="ui-row ui-gap-3 result-hint">
      <Icon name="edit" size={12} />
      <span>{isTouch ? 'Double-tap a cell to edit it.' : 'Double-click a cell, or press Enter, to edit it.'}</span>
      <IconButton icon="close" label="Close the hint" size="small" onClick={close} />
    </p>
  );
}

/** Keeps the hint that is shown, so that the table does not move while a cell is edited. */
export function markHintSeen(): void {
  localStorage.setItem(KEY, 'seen');
}

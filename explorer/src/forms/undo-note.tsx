// States before a deletion whether it can be undone.
import type { VNode } from 'preact';

export function UndoNote({ canUndo }: { readonly canUndo: boolean }): VNode {
  return (
    <p class="forms-note">
      {canUndo
        ? 'You can undo this, except for what the database deletes by cascade.'
        : 'This cannot be undone, because your role cannot insert all values of the row again.'}
    </p>
  );
}

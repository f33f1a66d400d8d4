// Begins and ends the watch of the result, or says how the server can offer it.
import type { VNode } from 'preact';
import { DOCUMENTATION } from '../client/documentation.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';
import { useMedia } from '../ui/use-media.ts';
import type { Watch } from './use-watch.ts';

export function WatchButton({ canWatch, isOff, isWatching, toggle }: Watch): VNode | null {
  const isNarrow = useMedia('(max-width: 520px)');
  // The toolbar of a phone has no room for what does nothing.
  if (!canWatch && !isWatching && (!isOff || isNarrow)) return null;
  const shared = {
    size: 'small',
    icon: 'eye',
    'aria-pressed': isWatching,
    onClick: isOff ? explainWatching : toggle,
  } as const;
  if (isNarrow) return <IconButton {...shared} label="Watch" />;
  return (
    <Button {...shared} variant="quiet">
      Watch
    </Button>
  );
}

function explainWatching(): void {
  showToast('This server does not offer live rows. Its operator turns them on with live-publication.', 'info', [
    { label: 'How to set it up', href: `${DOCUMENTATION}live#set-it-up` },
  ]);
}

// Begins and ends the watch of the result.
import type { VNode } from 'preact';
import { Button, IconButton } from '../ui/button.tsx';
import { useMedia } from '../ui/use-media.ts';
import type { Watch } from './use-watch.ts';

export function WatchButton({ canWatch, isWatching, toggle }: Watch): VNode | null {
  const isNarrow = useMedia('(max-width: 520px)');
  if (!canWatch && !isWatching) return null;
  const shared = { size: 'small', icon: 'eye', 'aria-pressed': isWatching, onClick: toggle } as const;
  if (isNarrow) return <IconButton {...shared} label="Watch" />;
  return (
    <Button {...shared} variant="quiet">
      Watch
    </Button>
  );
}

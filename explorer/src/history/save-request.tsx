// Saves the current request under a name.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { RequestPlace } from '../url-state/place.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';
import { useMedia } from '../ui/use-media.ts';
import { isKeepable, keep } from './kept-request.ts';
import { changeRequests } from './kept-requests.ts';
import { NameDialog } from './name-dialog.tsx';

export function SaveRequest({ place }: { readonly place: RequestPlace }): VNode {
  const [isNaming, setNaming] = useState(false);
  const isNarrow = useMedia('(max-width: 520px)');
  const { url, schema, view } = place;
  const begin = (): void => {
    if (isKeepable(url)) setNaming(true);
    else showToast('This URL is too long or seems to contain a secret, so it cannot be saved.', 'danger');
  };
  const save = (name: string): void => {
    setNaming(false);
    changeRequests((list) => keep(list, { method: 'GET', url, schema, view, name, at: Date.now(), status: undefined }));
    showToast('Saved in this browser.');
  };
  return (
    <>
      {isNarrow ? (
        <IconButton size="small" icon="bookmark" label="Save request" onClick={begin} />
      ) : (
        <Button size="small" variant="quiet" icon="bookmark" onClick={begin}>
          Save request
        </Button>
      )}
      {isNaming ? (
        <NameDialog title="Save the request" initial="" onName={save} onClose={() => setNaming(false)} />
      ) : null}
    </>
  );
}

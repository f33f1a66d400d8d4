// Menu to download the rows of the request as a file that the server produces.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import type { RequestPlace } from '../url-state/place.ts';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { useMedia } from '../ui/use-media.ts';
import { downloadText } from '../ui/download.ts';
import { nameFile } from './file-name.ts';

export interface DownloadMenuProps {
  readonly store: Store;
  readonly place: RequestPlace;
}

export function DownloadMenu({ store, place }: DownloadMenuProps): VNode {
  const isNarrow = useMedia('(max-width: 520px)');
  const save = async (type: 'application/json' | 'text/csv'): Promise<void> => {
    const headers = [['Accept', type]] as const;
    const exchange = await store.send({ method: 'GET', url: place.url, headers, body: undefined });
    if (exchange.kind !== 'answered') showToast('The server does not respond. Nothing was saved.', 'danger');
    else if (exchange.response.status >= 300) showToast('The server returned an error. Nothing was saved.', 'danger');
    else downloadText(nameFile(place.url, type === 'text/csv' ? 'csv' : 'json'), type, exchange.response.text);
  };
  return (
    <Menu
      label="Download"
      icon="download"
      isIconOnly={isNarrow}
      size="small"
      variant="quiet"
      items={[
        { label: 'As CSV', note: 'csv', onSelect: () => void save('text/csv') },
        { label: 'As JSON', note: 'json', onSelect: () => void save('application/json') },
      ]}
    />
  );
}

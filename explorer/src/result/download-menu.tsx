// Menu to download rows as a file that the server produces: those that are shown, or all of the request.
import type { VNode } from 'preact';
import type { Exchange } from '../client/exchange.ts';
import { headerOf } from '../client/headers.ts';
import { countReceived, countRows, describeRows, describeRowsShown } from '../rows/pages.ts';
import type { Store } from '../store/store.ts';
import { downloadText } from '../ui/download.ts';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { useMedia } from '../ui/use-media.ts';
import { rangeAt } from '../url-state/edit-ranges.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import type { RowType } from './download-all.ts';
import { nameFile } from './file-name.ts';

export interface DownloadMenuProps {
  readonly store: Store;
  readonly place: RequestPlace;
  /** What is shown. */
  readonly exchange: Exchange | undefined;
}

const TYPES = [
  { type: 'text/csv', name: 'CSV', extension: 'csv' },
  { type: 'application/json', name: 'JSON', extension: 'json' },
] as const;

/** The rows that are shown, if they are not all, and the request whose other rows can be downloaded too. */
interface Part {
  /** `Rows 1–25` */
  readonly shown: string;
  readonly model: QueryModel;
}

export function DownloadMenu({ store, place, exchange }: DownloadMenuProps): VNode {
  const isNarrow = useMedia('(max-width: 520px)');
  const maxRows = store.known.value?.document.features.maxRows;
  const part = findPart(place.url, exchange, maxRows);
  const save = (
    file: string,
    type: RowType,
    { text, count }: { readonly text: string; readonly count: number },
  ): void => {
    downloadText(file, type, text);
    showToast(count === 0 ? `Saved ${file}.` : `Saved ${countRows(count)} in ${file}.`);
  };
  const saveShown = async (type: RowType, file: string): Promise<void> => {
    const headers = [['Accept', type]] as const;
    const sent = await store.send({ method: 'GET', url: place.url, headers, body: undefined });
    if (sent.kind !== 'answered') showToast('The server does not respond. Nothing was saved.', 'danger');
    else if (sent.response.status >= 300) showToast('The server returned an error. Nothing was saved.', 'danger');
    else save(file, type, { text: sent.response.text, count: countReceived(headerOf(sent.response, 'content-range')) });
  };
  const saveAll = async (type: RowType, file: string, model: QueryModel): Promise<void> => {
    const { loadAllRows } = await import('./download-all.ts');
    const all = await loadAllRows(store, model, { type, maxRows });
    if (all === undefined) showToast('A request for all rows failed. Nothing was saved.', 'danger');
    else save(file, type, all);
  };
  const shown = TYPES.map(({ type, name, extension }) => ({
    label: part === undefined ? `As ${name}` : `${part.shown} as ${name}`,
    note: extension,
    onSelect: () => void saveShown(type, nameFile(place.url, extension)),
  }));
  const all = TYPES.flatMap(({ type, name, extension }) =>
    part === undefined
      ? []
      : {
          label: `All rows as ${name}`,
          note: extension,
          onSelect: () => void saveAll(type, nameFile(place.url, extension), part.model),
        },
  );
  return (
    <Menu
      label="Download"
      icon="download"
      isIconOnly={isNarrow}
      size="small"
      variant="quiet"
      items={[...shown, ...all]}
    />
  );
}

function findPart(url: string, exchange: Exchange | undefined, maxRows: number | undefined): Part | undefined {
  const parsed = parseUrl(url);
  if (!parsed.ok || exchange?.kind !== 'answered') return undefined;
  const model = parsed.value;
  const contentRange = headerOf(exchange.response, 'content-range');
  const count = countReceived(contentRange);
  if (model.params.pages.length > 0) return { shown: count === 1 ? 'This row' : `These ${countRows(count)}`, model };
  const rows = describeRows({ range: rangeAt(model, []), count, contentRange, total: undefined, maxRows });
  if (rows.previous === undefined && rows.next === undefined) return undefined;
  const shown = describeRowsShown({ ...rows, total: undefined });
  return { shown: rows.first === 1 ? `First ${shown}` : shown.replace(/^./u, (letter) => letter.toUpperCase()), model };
}

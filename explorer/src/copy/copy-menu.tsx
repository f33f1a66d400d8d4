// "Copy as": shows the current request as a command or program, to be copied.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { OutgoingRequest } from '../client/exchange.ts';
import { mediaTypeOf } from '../store/request-of-place.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useMedia } from '../ui/use-media.ts';
import { Checkbox } from '../ui/toggle.tsx';
import { copyText } from './copy-text.ts';
import { describeCopied } from './describe-copied.ts';
import { type Format, type FormatId, formatsFor } from './formats.ts';
import './copy.css';

/** Copies the request of the current place. */
export function CopyMenu({ store }: { readonly store: Store }): VNode | null {
  const place = store.place.value;
  if (place.kind !== 'request') return null;
  const accept = mediaTypeOf(place, store.known.value);
  const request = { method: 'GET', url: place.url, headers: [['Accept', accept]], body: undefined } as const;
  return <CopyRequest {...{ store, request }} />;
}

export interface CopyRequestProps {
  readonly store: Store;
  readonly request: OutgoingRequest;
}

export function CopyRequest({ store, request }: CopyRequestProps): VNode {
  const [format, setFormat] = useState<FormatId | undefined>(undefined);
  const isNarrow = useMedia('(max-width: 520px)');
  const formats = formatsFor(request);
  return (
    <>
      <Menu
        label="Copy as"
        icon="copy"
        isIconOnly={isNarrow}
        size="small"
        variant="quiet"
        items={formats.map(({ id, label }) => ({ label, onSelect: () => setFormat(id) }))}
      />
      <Dialog title="Copy as" width="wide" isOpen={format !== undefined} onClose={() => setFormat(undefined)}>
        {format === undefined ? null : <CopyDialog {...{ store, request, formats, format }} onFormat={setFormat} />}
      </Dialog>
    </>
  );
}

interface CopyDialogProps extends CopyRequestProps {
  readonly formats: readonly Format[];
  readonly format: FormatId;
  readonly onFormat: (format: FormatId) => void;
}

const TEXT_ID = 'copy-text';

function CopyDialog({ store, request, formats, format, onFormat }: CopyDialogProps): VNode {
  const [isTokenShown, setTokenShown] = useState(false);
  const token = store.token.value;
  const text = formats.find(({ id }) => id === format)?.render(describeCopied({ store, request, isTokenShown })) ?? '';
  return (
    <div class="ui-stack ui-gap-4 copy">
      <Tabs label="Language" tabs={formats} selected={format} controls={TEXT_ID} onSelect={onFormat} />
      <pre id={TEXT_ID} class="copy-text" role="tabpanel" aria-label="Text" tabIndex={0}>
        {text}
      </pre>
      <div class="ui-row ui-wrap copy-foot">
        {token === undefined || format === 'url' ? null : (
          <Checkbox
            label="Include the token. Anyone who sees it can act as you"
            isChecked={isTokenShown}
            onChange={setTokenShown}
          />
        )}
        <Button variant="primary" icon="copy" onClick={() => void copyText(text)}>
          Copy
        </Button>
      </div>
    </div>
  );
}

// "Copy as": shows the current request as a command or program, to be copied.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { mediaTypeOf } from '../store/request-of-place.ts';
import type { Store } from '../store/store.ts';
import type { RequestPlace } from '../url-state/place.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import { useMedia } from '../ui/use-media.ts';
import { Checkbox } from '../ui/toggle.tsx';
import type { CopiedRequest } from './copied-request.ts';
import { FORMATS, type FormatId } from './formats.ts';
import './copy.css';

export function CopyMenu({ store }: { readonly store: Store }): VNode | null {
  const [format, setFormat] = useState<FormatId | undefined>(undefined);
  const isNarrow = useMedia('(max-width: 520px)');
  const place = store.place.value;
  if (place.kind !== 'request') return null;
  return (
    <>
      <Menu
        label="Copy as"
        icon="copy"
        isIconOnly={isNarrow}
        size="small"
        variant="quiet"
        items={FORMATS.map(({ id, label }) => ({ label, onSelect: () => setFormat(id) }))}
      />
      <Dialog title="Copy as" width="wide" isOpen={format !== undefined} onClose={() => setFormat(undefined)}>
        {format === undefined ? null : <CopyDialog {...{ store, place, format }} onFormat={setFormat} />}
      </Dialog>
    </>
  );
}

interface CopyDialogProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly format: FormatId;
  readonly onFormat: (format: FormatId) => void;
}

const TEXT_ID = 'copy-text';

function CopyDialog({ store, place, format, onFormat }: CopyDialogProps): VNode {
  const [isTokenShown, setTokenShown] = useState(false);
  const token = store.token.value;
  const text = FORMATS.find(({ id }) => id === format)?.render(describe({ store, place, isTokenShown })) ?? '';
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => showToast('Copied.'),
      () => showToast('The browser denied access to the clipboard. Select and copy the text.', 'danger'),
    );
  };
  return (
    <div class="copy">
      <Tabs label="Language" tabs={FORMATS} selected={format} controls={TEXT_ID} onSelect={onFormat} />
      <pre id={TEXT_ID} class="copy-text" role="tabpanel" aria-label="Text" tabIndex={0}>
        {text}
      </pre>
      <div class="copy-foot">
        {token === undefined || format === 'url' ? null : (
          <Checkbox
            label="Include the token. Anyone who sees it can act as you"
            isChecked={isTokenShown}
            onChange={setTokenShown}
          />
        )}
        <Button variant="primary" icon="copy" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </div>
  );
}

interface Described extends Pick<CopyDialogProps, 'store' | 'place'> {
  readonly isTokenShown: boolean;
}

function describe({ store, place, isTokenShown }: Described): CopiedRequest {
  const token = store.token.value;
  const loaded = store.schema.value;
  const schema = loaded.kind === 'ready' ? loaded.value : undefined;
  return {
    base: new URL('.', document.baseURI).href,
    request: { method: 'GET', url: place.url, headers: [['Accept', mediaTypeOf(place, schema)]], body: undefined },
    schema: place.schema,
    defaultSchema: schema?.document.schema ?? 'public',
    token: token === undefined ? { kind: 'none' } : isTokenShown ? { kind: 'text', text: token } : { kind: 'variable' },
  };
}

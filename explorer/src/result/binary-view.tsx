// An answer that is no text: an image is shown, anything else can be saved.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { downloadBlob } from './download.ts';
import { extensionOf, nameFile } from './file-name.ts';

export interface BinaryViewProps {
  readonly content: Blob;
  /** Without parameters. */
  readonly type: string;
  /** Of the request: the file is named after it. */
  readonly url: string;
}

export function BinaryView(props: BinaryViewProps): VNode {
  const { content, type } = props;
  const [unread, setUnread] = useState<Blob | undefined>(undefined);
  const address = useObjectUrl(content);
  if (!type.startsWith('image/') || unread === content) return <NotShown {...props} />;
  return (
    <figure class="result-image">
      {address === undefined ? null : (
        <img src={address} alt={`The answer, of the type ${type}`} onError={() => setUnread(content)} />
      )}
      <figcaption>
        <SaveButton {...props} />
      </figcaption>
    </figure>
  );
}

/** An image cannot do anything on the page, whatever it holds: not even an SVG's scripts run. */
function useObjectUrl(content: Blob): string | undefined {
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address;
}

function NotShown(props: BinaryViewProps): VNode {
  return (
    <EmptyState icon="code" title="The answer is not text." action={<SaveButton {...props} />}>
      It is of the type {props.type || 'unknown'}. Save it as a file, or copy the request as curl and add --output.
    </EmptyState>
  );
}

function SaveButton({ content, type, url }: BinaryViewProps): VNode {
  return (
    <Button icon="download" onClick={() => downloadBlob(nameFile(url, extensionOf(type)), content)}>
      Save
    </Button>
  );
}

// A binary response: shows an image, and offers anything else for download.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { downloadBlob } from '../ui/download.ts';
import { extensionOf, nameFile } from './file-name.ts';

export interface BinaryViewProps {
  readonly content: Blob;
  /** Media type without parameters. */
  readonly type: string;
  /** URL of the request, from which the file name derives. */
  readonly url: string;
}

export function BinaryView(props: BinaryViewProps): VNode {
  const { content, type } = props;
  const [unread, setUnread] = useState<Blob | undefined>(undefined);
  const address = useObjectUrl(content);
  if (!type.startsWith('image/') || unread === content) return <NotShown {...props} />;
  return (
    <figure class="ui-stack ui-gap-4 result-image">
      {address === undefined ? null : (
        <img src={address} alt={`Response of type ${type}`} onError={() => setUnread(content)} />
      )}
      <figcaption>
        <SaveButton {...props} />
      </figcaption>
    </figure>
  );
}

/** Safe for any content, because scripts do not run in an image, not even in an SVG. */
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
    <EmptyState icon="code" title="The response is not text." action={<SaveButton {...props} />}>
      Its type is {props.type || 'unknown'}. Save it as a file, or copy the request as curl and add --output.
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

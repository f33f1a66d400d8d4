// A list of kept requests with their actions: open, save or rename, delete.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { UrlText } from '../ui/url-text.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { formatLocalTime } from '../ui/local-time.ts';
import { Badge } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';
import { keep, type KeptRequest, type KeptRequests, remove } from './kept-request.ts';
import { changeRequests } from './kept-requests.ts';
import { NameDialog } from './name-dialog.tsx';

export interface RequestEntriesProps {
  readonly title: string;
  readonly requests: KeptRequests;
}

export function RequestEntries({ title, requests }: RequestEntriesProps): VNode | null {
  const [named, setNamed] = useState<KeptRequest | undefined>(undefined);
  if (requests.length === 0) return null;
  const rename = (request: KeptRequest, name: string): void => {
    setNamed(undefined);
    changeRequests((list) => {
      // A recent request stays in the history when it is saved.
      const others = request.name === undefined ? list : without(list, request);
      return keep(others, { ...request, name });
    });
  };
  return (
    <section aria-label={title}>
      <h3 class="history-title">{title}</h3>
      <ul class="history-list">
        {requests.map((request) => (
          <Entry key={JSON.stringify(request)} request={request} onName={() => setNamed(request)} />
        ))}
      </ul>
      {named === undefined ? null : (
        <NameDialog
          title={named.name === undefined ? 'Save the request' : 'Rename the request'}
          initial={named.name ?? ''}
          onName={(name) => rename(named, name)}
          onClose={() => setNamed(undefined)}
        />
      )}
    </section>
  );
}

/** The list may have been read again from the storage since. */
function without(list: KeptRequests, request: KeptRequest): KeptRequests {
  const key = JSON.stringify(request);
  const found = list.find((one) => JSON.stringify(one) === key);
  return found === undefined ? list : remove(list, found);
}

function Entry({ request, onName }: { readonly request: KeptRequest; readonly onName: () => void }): VNode {
  const { method, url, schema, view, name, at, status } = request;
  const isRead = method === 'GET';
  const items: readonly MenuItem[] = [
    ...(isRead ? [{ label: name === undefined ? 'Save' : 'Rename', icon: 'edit', onSelect: onName } as const] : []),
    {
      label: 'Delete',
      icon: 'trash',
      isDangerous: true,
      onSelect: () => changeRequests((list) => without(list, request)),
    },
  ];
  const text = (
    <>
      {name === undefined ? null : <bdi class="history-name">{name}</bdi>}
      <UrlText url={url} />
    </>
  );
  return (
    <li class="history-entry">
      <Badge tone={isRead ? 'neutral' : 'warning'}>{method}</Badge>
      {isRead ? (
        <a class="ui-stack history-link" href={renderPlace({ kind: 'request', schema, url, view })}>
          {text}
        </a>
      ) : (
        <span class="ui-stack history-link" title="The body is not kept, so the request cannot be sent again">
          {text}
        </span>
      )}
      <span class="ui-row ui-gap-3 history-when">
        {schema === undefined ? null : <Badge>{schema}</Badge>}
        {status === undefined ? null : <Badge tone={status < 300 ? 'success' : 'danger'}>{status}</Badge>}
        <time dateTime={new Date(at).toISOString()}>{formatLocalTime(at)}</time>
      </span>
      <Menu label={`Actions for ${name ?? url}`} icon="more" isIconOnly size="small" items={items} />
    </li>
  );
}

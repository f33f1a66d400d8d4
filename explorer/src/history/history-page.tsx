// The page of saved and recent requests, with search, export and import.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { downloadText } from '../ui/download.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page.tsx';
import { showToast } from '../ui/toast.tsx';
import { type KeptRequests, merge, search } from './kept-request.ts';
import { changeRequests, keptRequests } from './kept-requests.ts';
import { parseRequests, printRequests } from './request-file.ts';
import { RequestEntries } from './request-entries.tsx';
import './history.css';

export function HistoryPage(): VNode {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const all = keptRequests.value;
  const found = search(all, typed);
  return (
    <article class="ui-page">
      <PageHead kind="Kept in this browser, without bodies and tokens" title="History">
        <FileButtons requests={all} onProblem={setProblem} />
      </PageHead>
      {problem === undefined ? null : (
        <Notice tone="danger" title="The file was not imported.">
          <bdi>{problem}</bdi>
        </Notice>
      )}
      {all.length === 0 ? (
        <EmptyState icon="clock" title="No requests yet.">
          Each request that you send appears here. Save the ones that you need again.
        </EmptyState>
      ) : (
        <TextField label="Search requests" type="search" value={typed} onValue={setTyped} />
      )}
      {all.length > 0 && found.length === 0 ? <p role="status">No matches.</p> : null}
      <RequestEntries title="Saved" requests={found.filter(({ name }) => name !== undefined)} />
      <RequestEntries title="Recent" requests={found.filter(({ name }) => name === undefined)} />
    </article>
  );
}

interface FileButtonsProps {
  readonly requests: KeptRequests;
  readonly onProblem: (problem: string | undefined) => void;
}

function FileButtons({ requests, onProblem }: FileButtonsProps): VNode {
  const read = async (file: File): Promise<void> => {
    const parsed = parseRequests(await file.text());
    onProblem(parsed.ok ? undefined : parsed.error);
    if (!parsed.ok) return;
    const before = keptRequests.value.length;
    changeRequests((list) => merge(list, parsed.value));
    const added = keptRequests.value.length - before;
    showToast(`${added} of ${parsed.value.length} requests imported.`);
  };
  const isEmpty = requests.length === 0;
  return (
    <>
      <label class="ui-button ui-button-default ui-button-small history-import">
        <Icon name="upload" />
        Import
        <input
          type="file"
          class="ui-unseen"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) void read(file);
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
      </label>
      <Button
        size="small"
        icon="download"
        disabled={isEmpty}
        onClick={() => downloadText('requests.json', 'application/json', printRequests(requests))}
      >
        Export
      </Button>
      <Button
        size="small"
        icon="trash"
        disabled={!requests.some(({ name }) => name === undefined)}
        onClick={() => changeRequests((list) => list.filter(({ name }) => name !== undefined))}
      >
        Delete recent
      </Button>
    </>
  );
}

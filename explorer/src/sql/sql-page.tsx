// The page to run SQL, only under `rowhouse dev`: an editor, its buttons and the outcome of the last run.
import { signal, type Signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ConsoleRequest } from '../client/console.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextArea } from '../ui/field.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { Code, Kbd, Spinner } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { NoRun } from './no-run.tsx';
import { type PastRun, placeOfProblem } from './past-run.ts';
import { PublishButtons } from './publish-buttons.tsx';
import { sendRun } from './send-run.ts';
import { SqlOutcome } from './sql-outcome.tsx';
import './sql.css';

export function SqlPage({ store }: { readonly store: Store }): VNode | null {
  const schema = store.schema.value;
  if (schema.kind !== 'ready') return null;
  if (schema.value.document.features.console !== true) {
    return (
      <EmptyState icon="code" title="This server runs no SQL.">
        The SQL page exists only under <Code>rowhouse dev</Code>.
      </EmptyState>
    );
  }
  if (store.signingKey.value === undefined) {
    return (
      <div class="sql-notice">
        <Notice
          tone="info"
          title="This tab does not have the key of the server."
          hint="Open the link that rowhouse dev prints. It contains the key after #key=."
        />
      </div>
    );
  }
  return <Console store={store} schema={schema.value} />;
}

/** Kept while the tab shows other pages. Never taken from an address: a link must not bring SQL. */
const draft = signal('');

interface ConsoleProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
}

function Console({ store, schema }: ConsoleProps): VNode {
  const editor = useRef<HTMLTextAreaElement>(null);
  const [as, setAs] = useState<ConsoleRequest['as']>('role');
  const [changes, setChanges] = useState(false);
  const [running, setRunning] = useState<AbortController | undefined>(undefined);
  const [past, setPast] = useState<PastRun | undefined>(undefined);
  const run = async (explain?: ConsoleRequest['explain']): Promise<void> => {
    const { text: sql, start } = chosenText(editor.current, draft);
    if (running !== undefined || sql.trim() === '') return;
    const aborting = new AbortController();
    const request = { sql, changes, as, explain };
    setRunning(aborting);
    const outcome = await sendRun(store, request, aborting.signal);
    setRunning(undefined);
    setPast({ request, outcome });
    if (outcome.kind === 'done' && changes) store.refresh();
    const at = placeOfProblem(outcome);
    if (at !== undefined) showPlace(editor.current, start + at);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run();
  };
  const showExample = (sql: string): void => {
    draft.value = sql;
    editor.current?.focus();
  };
  return (
    <section class="sql" aria-label="SQL">
      <div class="sql-editor">
        <TextArea
          ref={editor}
          label="SQL"
          isLabelHidden
          isMono
          rows={9}
          placeholder="select * from …"
          value={draft.value}
          onValue={(value) => (draft.value = value)}
          onKeyDown={press}
        />
        <div class="sql-bar">
          <Button variant="primary" icon="play" disabled={running !== undefined} onClick={() => void run()}>
            Run
          </Button>
          <Button icon="clock" disabled={running !== undefined} onClick={() => void run('estimate')}>
            Explain
          </Button>
          <RoleChoice role={schema.document.role} as={as} onAs={setAs} />
          <Checkbox label="Allow changes" isChecked={changes} onChange={setChanges} />
          <PublishButtons {...{ store, schema, past }} />
        </div>
        <p class="sql-about">
          {changes
            ? 'The run is committed if every statement succeeds.'
            : 'The run is read-only, and is rolled back at its end.'}{' '}
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> runs the text, or the selected part of it.
        </p>
      </div>
      {running === undefined ? null : (
        <div class="sql-running">
          <Spinner label="Running" />
          <Button size="small" icon="stop" onClick={() => running.abort()}>
            Cancel
          </Button>
        </div>
      )}
      <div class="sql-outcome">
        {running !== undefined ? null : past === undefined ? (
          <NoRun schema={schema} onExample={draft.value === '' ? showExample : undefined} />
        ) : (
          <SqlOutcome past={past} onMeasure={() => void run('measure')} />
        )}
      </div>
    </section>
  );
}

interface RoleChoiceProps {
  readonly role: string;
  readonly as: ConsoleRequest['as'];
  readonly onAs: (as: ConsoleRequest['as']) => void;
}

function RoleChoice({ role, as, onAs }: RoleChoiceProps): VNode {
  return (
    <SelectField
      label="Run as"
      isLabelHidden
      title="The role that runs the text. View as … in the sidebar changes the role of the session."
      value={as}
      options={[
        { value: 'role', label: `Run as ${role}, like a request` },
        { value: 'login', label: 'Run as the owner or login role' },
      ]}
      onValue={(value) => onAs(value === 'login' ? 'login' : 'role')}
    />
  );
}

/** Returns the selected part of the text, or all of it. */
function chosenText(
  editor: HTMLTextAreaElement | null,
  whole: Signal<string>,
): { readonly text: string; readonly start: number } {
  const [start, end] = [editor?.selectionStart ?? 0, editor?.selectionEnd ?? 0];
  return start < end ? { text: whole.peek().slice(start, end), start } : { text: whole.peek(), start: 0 };
}

/** Puts the caret there. A selection would make the next run one of the selection. */
function showPlace(editor: HTMLTextAreaElement | null, at: number): void {
  editor?.focus();
  editor?.setSelectionRange(at, at);
}

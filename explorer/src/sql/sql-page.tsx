// The page to run SQL, only under `rowhouse dev`: an editor, its buttons and the outcome of the last run.
import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ConsoleRequest } from '../client/console.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { Code, Kbd, Spinner } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { NoRun } from './no-run.tsx';
import { type PastRun, rangeOfProblem } from './past-run.ts';
import { PublishButtons } from './publish-buttons.tsx';
import { sendRun } from './send-run.ts';
import type { SqlEditor } from './sql-editor.ts';
import { SqlField } from './sql-field.tsx';
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

function Console({ store, schema }: { readonly store: Store; readonly schema: SchemaIndex }): VNode {
  const editor = useRef<SqlEditor>(null);
  const [as, setAs] = useState<ConsoleRequest['as']>('role');
  const [changes, setChanges] = useState(false);
  const [running, setRunning] = useState<AbortController | undefined>(undefined);
  const [past, setPast] = useState<PastRun | undefined>(undefined);
  const run = async (explain?: ConsoleRequest['explain']): Promise<void> => {
    const { text: sql, start } = editor.current?.chosen() ?? { text: '', start: 0 };
    if (running !== undefined || sql.trim() === '') return;
    const aborting = new AbortController();
    const request = { sql, changes, as, explain };
    setRunning(aborting);
    const startedAt = performance.now();
    const outcome = await sendRun(store, request, aborting.signal);
    const ended: PastRun = { request, start, outcome, milliseconds: performance.now() - startedAt };
    setRunning(undefined);
    setPast(ended);
    if (outcome.kind === 'done' && changes) store.refresh();
    const range = rangeOfProblem(ended);
    if (range !== undefined) editor.current?.showProblem(range);
  };
  return (
    <section class="ui-stack sql" aria-label="SQL">
      <div class="ui-stack ui-gap-3 sql-editor">
        <SqlField {...{ schema, draft, editor }} onRun={() => void run()} />
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
      <div class="ui-stack sql-outcome">
        {running !== undefined ? null : past === undefined ? (
          <NoRun
            schema={schema}
            onExample={draft.value === '' ? (sql) => editor.current?.replace({ from: 0, to: 0 }, sql) : undefined}
          />
        ) : (
          <SqlOutcome past={past} schema={schema} editor={editor} onMeasure={() => void run('measure')} />
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
